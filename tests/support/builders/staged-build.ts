// Inputs for building final files in tests without a catalog: those of a closed game, files by key, and a `game-state`
// stream made from rows.
import { createHash } from 'node:crypto';
import type { PublishedRevision, ServedStream } from '../../../core/ports/catalog/msf.ts';
import type { SettlementInputs } from '../../../core/ports/catalog/settlement.ts';
import type { FileRef, ObjectKey } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import type { ReferencePlayer } from '../../../core/settlement/evidence.ts';
import { newLifecycle } from '../../../core/settlement/game-lifecycle.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { gameState } from '../../../schemas/datasets/game-state.ts';

/** The inputs of an NBA game that has one row and was never built. */
export const stagedInputs: SettlementInputs = {
  closed: { gameUuid: 'g', gameId: 'G', league: 'NBA', generation: 1, rows: 1, logTime: null, course: newLifecycle() },
  gameId: 'G',
  league: 'NBA',
  homeTeamId: null,
  awayTeamId: null,
  manual: null,
  removed: [],
  lineups: { home: [], away: [] },
  standing: { orders: 'again/0', evidence: '' },
  built: null,
};

const nothing = Object.fromEntries(
  gameState.columns.filter(({ nullable }) => nullable).map(({ name }) => [name, null]),
);

/** A row of `game-state`. */
export function stateRow(playedStatus: string, away: number, home: number): ParquetRow {
  return {
    ...nothing,
    game_id: 'G',
    league: 'NBA',
    msf_game_id: 1,
    start_time: 0,
    schedule_status: 'NORMAL',
    played_status: playedStatus,
    home_team_id: '00000000-0000-5000-8000-00000000000a',
    away_team_id: '00000000-0000-5000-8000-00000000000b',
    home_score: home,
    away_score: away,
    home_period_scores: [],
    away_period_scores: [],
  };
}

/** A row of the log: an open moneyline at the time `number`. */
export const openRow = (number: number, selection: string) => ({
  ...{ game_id: 'G', league: 'NBA', operator: 'DK', row_number: number, market: 'moneyline', period: 'full' },
  ...{ selection_id: `moneyline/full/${selection}`, selection, player_id: null, line: null, price_american: -110 },
  ...{ price_decimal: 19_091, price_source_format: 'american', is_open: true, change: 'opened', in_play: false },
  ...{ timestamp: number, source_timestamp: null, source: 's' },
});

/** Parquet files, each under its own key. `read`: the requested keys. */
export class StagedFiles {
  readonly read: string[] = [];
  readonly #files = new Map<string, Uint8Array>();

  add(key: string, dataset: string, rows: readonly ParquetRow[]): FileRef {
    const bytes = parquetWriter.encode(dataset, rows, new Map());
    this.#files.set(key, bytes);
    return {
      key: key as ObjectKey,
      offset: 0,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  }

  async get(key: string): Promise<Uint8Array | null> {
    this.read.push(key);
    return this.#files.get(key) ?? null;
  }
}

/** A statistic of a player: 10 points for his current team. */
export const statOf = ({ id, currentTeamId }: ReferencePlayer) => ({
  ...{ game_id: 'G', league: 'NBA', player_id: id, team_id: currentTeamId, stat: 'offense.pts', value: 100_000 },
});

/**
 * A game-state stream with epoch `E`: its revision n has the n-th of `rows`, in the file `state-n`. It has no archive. Its player-stats, if
 * any, have one revision, of `stats`.
 */
export function stagedStream(files: StagedFiles, rows: readonly ParquetRow[], stats: readonly ParquetRow[] = []) {
  const revisions = rows.map((row, index) => {
    const changeFiles = [{ rows: 1, file: files.add(`state-${index + 1}`, 'game-state', [row]) }];
    const facts = { revision: index + 1, kind: 'replace', sourceObservation: { source_updated_at: 7 } };
    return { ...facts, changeFiles, snapshotFiles: changeFiles } as unknown as PublishedRevision;
  });
  const stream = { scopeUuid: 'g', dataset: 'game-state', epoch: 'E', head: revisions.at(-1) } as ServedStream;
  const statsFiles = [{ rows: stats.length, file: files.add('stats', 'player-stats', stats) }];
  const statsHead = { revision: 1, sourceObservation: { source_updated_at: 8 }, snapshotFiles: statsFiles };
  const ofStats = { scopeUuid: 'g', dataset: 'player-stats', epoch: 'P', head: statsHead } as unknown as ServedStream;
  const streams = new Map([
    ['game-state', stream],
    ...(stats.length === 0 ? [] : [['player-stats', ofStats] as const]),
  ]);
  return {
    msf: {
      stream: async ({ dataset }: { dataset: string }) => streams.get(dataset) ?? null,
      revisions: async () => revisions,
    },
    history: { archives: async () => [] },
  };
}
