// The market-results cases of tests/vectors/settlement in the form that the rules take, and rows in the form of the
// cases.
import { readDecimal, roundedUnscaled, shortestText } from '../../../core/decimal.ts';
import type { Evidence, ReferencePlayer } from '../../../core/settlement/evidence.ts';
import { readManualScore } from '../../../core/settlement/manual-score.ts';
import type { GradedGame } from '../../../core/settlement/market-results.ts';
import { type Selection, Selections } from '../../../core/settlement/selections.ts';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Micros } from '../../../core/units.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import type { League } from '../../../schemas/reference/leagues.ts';

type Player = readonly [id: string, first: string, last: string, team: string];
type EvidenceGiven = {
  cancelled?: string;
  game_state?: {
    revision?: string;
    at?: string;
    played_status?: string;
    away: number | null;
    home: number | null;
    away_periods?: number[];
    home_periods?: number[];
  };
  manual?: { audit: string; at: string; score: string; periods?: string };
  player_stats?: {
    revision?: string;
    at?: string;
    rows: readonly (readonly [player: string, team: string, stat: string, value: string | number])[];
  };
  players?: readonly Player[];
};

type Given = {
  league: League;
  rows: readonly (readonly [id: string, line: number | null, player?: string | null, state?: string])[];
  players?: readonly Player[];
};
type Cells = readonly unknown[];

type NamedCase<G, T> = { name: string; why: string; given: G; then: T };
export type GradingCase = NamedCase<
  Given & { evidence: EvidenceGiven },
  { columns?: readonly string[]; rows: Cells[] | null }
>;
export type VersionsCase = NamedCase<
  Given & { steps: readonly EvidenceGiven[] },
  { columns?: readonly string[]; versions: readonly { step: number; rows: Cells[] }[] }
>;
export type NamesCase = NamedCase<{ names: readonly string[] }, { normal: readonly string[] }>;

export function gameOf({ league }: Given): GradedGame {
  return { gameId: 'the-game', league };
}

export function selectionsOf({ rows }: Given): Selection[] {
  const selections = new Selections();
  for (const [id, line, player = null, state = 'open'] of rows) {
    const [market = '', period = '', selection = ''] = id.split('/');
    selections.add({
      selection_id: id,
      market,
      period,
      selection,
      line: line === null ? null : unscaled(line, 3),
      player_id: player,
      is_open: state === 'open',
    });
  }
  return selections.list();
}

const noTime = '2026-01-10T00:00:00.000000Z';

export function evidenceOf(said: EvidenceGiven, players: readonly Player[] = []): Evidence {
  const { cancelled, game_state: state, manual, player_stats: stats } = said;
  return {
    homeTeamId: 'home',
    awayTeamId: 'away',
    cancelledAt: cancelled === undefined ? null : timeOf(cancelled),
    manual:
      manual === undefined
        ? null
        : { auditId: manual.audit, at: timeOf(manual.at), ...typed(manual.score, manual.periods ?? null) },
    gameState:
      state === undefined
        ? null
        : {
            ...revisionOf(state),
            playedStatus: state.played_status ?? 'COMPLETED',
            away: state.away,
            home: state.home,
            awayPeriods: state.away_periods ?? [],
            homePeriods: state.home_periods ?? [],
          },
    playerStats:
      stats === undefined
        ? null
        : {
            ...revisionOf(stats),
            rows: stats.rows.map(([playerId, teamId, stat, value]) => ({
              playerId,
              teamId,
              stat,
              value: unscaled(value, 4),
            })),
          },
    players: (said.players ?? players).map(
      ([id, firstName, lastName, currentTeamId]): ReferencePlayer => ({ id, firstName, lastName, currentTeamId }),
    ),
  };
}

function typed(score: string, periods: string | null) {
  const read = readManualScore(score, periods);
  if (read.kind === 'refused') throw new Error(read.problem);
  return read.scores;
}

function revisionOf({ revision = 'E/1', at = noTime }: { revision?: string; at?: string }) {
  const [epoch = '', number] = revision.split('/');
  return { epoch, revision: Number(number), at: timeOf(at) };
}

const decimals: Readonly<Record<string, number>> = { line: 3, result_value: 3 };

/** Rows in the form of a case: decimals without trailing zeros, times as text. */
export function cellsOf(rows: readonly MarketResultsRow[], columns: readonly string[]): Cells[] {
  return rows.map((row) =>
    columns.map((column) => {
      const cell = row[column as keyof MarketResultsRow];
      if (typeof cell !== 'number') return cell;
      if (column === 'settled_at') return formatMicros(cell);
      const scale = decimals[column];
      return scale === undefined ? cell : shortestText(cell, scale);
    }),
  );
}

function unscaled(value: string | number, scale: number): number {
  const decimal = readDecimal(String(value));
  const whole = decimal === null ? null : roundedUnscaled(decimal, scale);
  if (whole === null) throw new Error(`not a decimal: ${value}`);
  return whole;
}

function timeOf(text: string): Micros {
  const time = parseRfc3339(text);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}
