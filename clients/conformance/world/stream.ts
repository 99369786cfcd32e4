// A stream of `team-stats` as the scripted server has it: revisions with their files and digests, epochs that end, a digest that lies.
import { createHash } from 'node:crypto';
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import { rowOrder, stateDigest } from '../../../core/msf/digest.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type TeamStatsRow, teamStats } from '../../../schemas/datasets/team-stats.ts';

export type StreamRecord = {
  stream_epoch: string;
  revision: number;
  revision_kind: 'patch' | 'replace';
  status: 'provisional';
  row_count: number;
  snapshot_row_count: number;
  snapshot_digest: string;
  files: { url: string; rows: number; sha256: string }[];
  cursor: string;
};

type Kept = { change: StreamRecord; snapshot: StreamRecord; state: ReadonlyMap<string, TeamStatsRow> };

export class StreamWorld {
  readonly game: string;
  epoch = 1;
  /** The lowest revision whose changes are kept. */
  keptFrom = 1;
  revisions: Kept[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** Every state that was ever published, by revision and digest. */
  readonly #published = new Set<string>();
  #state = new Map<string, TeamStatsRow>();

  constructor(game: string) {
    this.game = game;
  }

  get path(): string {
    return `/v1/games/${this.game}/team-stats`;
  }

  cursorOf(revision: number): string {
    return `team-stats:${this.game}:E${this.epoch}:${revision}`;
  }

  hasPublished(revision: number, digest: string): boolean {
    return this.#published.has(`${revision} ${digest}`);
  }

  /** Sets each statistic to a value, in ten-thousandths; null deletes it. */
  revise(values: Readonly<Record<string, number | null>>, lies = false): void {
    const revision = this.revisions.length + 1;
    const changed = Object.entries(values).map(([stat, value]) => {
      const row = { game_id: this.game, league: 'NBA', team_id: 't1', stat, value: value ?? 0 };
      const before = this.#state.get(stat);
      if (value === null) this.#state.delete(stat);
      else this.#state.set(stat, row);
      return value === null && before !== undefined ? { ...before, _op: 'delete' } : { ...row, _op: 'upsert' };
    });
    const rows = [...this.#state.values()].sort((a, b) => rowOrder(teamStats)({ row: a }, { row: b }));
    const lines = rows.map((row) => canonicalLine(teamStats.columns, row));
    const digest = lies ? stateDigest(['other']) : stateDigest(lines);
    this.#published.add(`${revision} ${digest}`);
    const baseline = revision === 1;
    const record = (kind: 'change' | 'snapshot', file: Uint8Array, count: number): StreamRecord => {
      const url = `${this.path}/revisions/E${this.epoch}/${revision}/${kind}/0`;
      this.files.set(url, file);
      return {
        stream_epoch: `E${this.epoch}`,
        revision,
        revision_kind: kind === 'snapshot' || baseline ? 'replace' : 'patch',
        status: 'provisional',
        row_count: count,
        snapshot_row_count: rows.length,
        snapshot_digest: digest,
        files: [{ url, rows: count, sha256: createHash('sha256').update(file).digest('hex') }],
        cursor: this.cursorOf(revision),
      };
    };
    const change = parquetWriter.encode('team-stats/change', changed, new Map());
    this.revisions.push({
      change: record('change', change, changed.length),
      snapshot: record('snapshot', parquetWriter.encode('team-stats', rows, new Map()), rows.length),
      state: new Map(this.#state),
    });
  }

  /** The service's data come back from a backup that has the epoch's first revisions alone. */
  revert(count: number): void {
    this.revisions.splice(count);
    this.#state = new Map(this.revisions.at(-1)?.state);
  }

  /** The stream begins anew: revisions are counted from 1, cursors of the epoch before are refused. */
  replaceEpoch(): void {
    this.epoch += 1;
    this.revisions = [];
    this.keptFrom = 1;
    this.#state = new Map();
  }
}
