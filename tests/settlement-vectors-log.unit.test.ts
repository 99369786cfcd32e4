// Every case of ../shared/spec/vectors/settlement that is of the forms `log` and `timeline`: when a game closes, when play began, which rows
// close and open, who begins, and what the timeline shows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactUnscaled, readDecimal, shortestText } from '../core/decimal.ts';
import { chooseStarters, type Slot } from '../core/msf/states/lineups.ts';
import { ClosingLines } from '../core/settlement/closing-lines.ts';
import { startOfPlay } from '../core/settlement/course.ts';
import { Timeline } from '../core/settlement/timeline.ts';
import { easternDate } from '../core/time/eastern-date.ts';
import { dateOfDays, formatMicros } from '../core/time/rfc3339.ts';
import { closingLines } from '../schemas/datasets/closing-lines.ts';
import type { ColumnType, Dataset } from '../schemas/datasets/column.ts';
import type { GameStateRow } from '../schemas/datasets/game-state.ts';
import { gameStateTimeline } from '../schemas/datasets/game-state-timeline.ts';
import { SettlementLog, timeOf, type VectorRecord } from './support/settlement-log.ts';
import { assertCase, firstDifference, settlementCases, settlementVectorsAbsent } from './support/settlement-vectors.ts';

type Row = Readonly<Record<string, unknown>>;
type VectorSlot = readonly [slot: string, player: number | string | null];
type VectorLineup = { actual?: readonly VectorSlot[]; expected?: readonly VectorSlot[] };
type LogGiven = { records: readonly VectorRecord[]; lineup?: { home?: VectorLineup; away?: VectorLineup } };
type LogThen = { columns?: readonly string[]; rows?: readonly (readonly unknown[])[] };
type TimelineGiven = { revisions: readonly (readonly [number, string, Partial<GameStateRow> | null])[] };

const closingColumns = [
  'operator',
  'selection_id',
  'line',
  'closing_price_american',
  'opening_line',
  'opening_price_american',
  'opened_at',
  'closed_at',
  'close_basis',
  'player_id',
];
const timelineColumns = [
  'sequence',
  'timestamp',
  'status',
  'period',
  'clock_seconds_remaining',
  'home_score',
  'away_score',
  'situation',
  'revision',
];
const caseOfBasis = { status: 'a', in_play: 'b', scheduled: 'c' } as const;

describe('logs of the settlement vectors', { skip: settlementVectorsAbsent }, () => {
  for (const file of ['close.json', 'start-of-play.json', 'closing-rows.json']) {
    for (const vector of settlementCases<LogGiven, LogThen>(file, 'log')) {
      it(`${vector.name}: ${vector.why}`, () => {
        const { columns = closingColumns, rows, ...more } = vector.then;
        const expected = rows === undefined ? more : { ...more, rows: inNormalForm(closingLines, columns, rows) };
        assertCase(vector, expected, closed(vector.given, columns));
      });
    }
  }
});

describe('timelines of the settlement vectors', { skip: settlementVectorsAbsent }, () => {
  for (const vector of settlementCases<TimelineGiven, object>('timeline.json', 'timeline')) {
    it(`${vector.name}: ${vector.why}`, () => {
      const timeline = new Timeline({ gameId: 'G', league: 'NBA' });
      for (const [revision, at, row] of vector.given.revisions) {
        timeline.add({ epoch: 'E', revision, sourceUpdatedAt: timeOf(at), row: row && { ...emptyState, ...row } });
      }
      const rows = timeline.rows.map((row) => timelineColumns.map((name) => shown(gameStateTimeline, row, name)));
      assertCase(vector, vector.then, { rows });
    });
  }
});

it('a difference is shown where it is', () => {
  assert.equal(firstDifference([1, [2, 'x']], [1, [2, 'y']], 'rows'), 'rows[1][1]: expected "x", found "y"');
  assert.equal(firstDifference([1], [1, 2], 'rows'), 'rows[1]: expected undefined, found 2');
  assert.equal(firstDifference([], [], 'rows'), null);
  assert.throws(() => assertCase({ name: 'n', why: 'w' }, { t0: 1 }, {}), /n\nw\nt0: expected 1, found undefined/);
});

/** All that a case may ask of a log. */
function closed({ records, lineup }: LogGiven, columns: readonly string[]): Record<string, unknown> {
  const log = new SettlementLog();
  for (const record of records) log.apply(record);
  const start = startOfPlay(log.course)!;
  const lines = new ClosingLines(start);
  for (const row of log.rows) lines.add(row);
  const lineups = { home: startersOf(lineup?.home), away: startersOf(lineup?.away) };
  const gameDate = easternDate(log.course.starts.at(-1)!.start);
  const rows = lines.rows({ gameId: 'G', league: 'NFL', gameDate, lineups });
  return {
    closed_by: log.closedBy,
    row_count: log.rows.length,
    refused: log.refused,
    case: caseOfBasis[start.basis],
    t0: formatMicros(start.t0),
    rows: rows.map((row) => columns.map((name) => shown(closingLines, row, name))),
    ...sameInEveryRow(rows),
  };
}

function startersOf({ actual = [], expected = [] }: VectorLineup = {}): string[] {
  // The rows of a dataset hold ids as texts, those of the cases are numbers.
  return chooseStarters(slotsOf(actual), slotsOf(expected)) as string[];
}

function slotsOf(slots: readonly VectorSlot[]): Slot<number | string>[] {
  return slots.map(([slot, player]) => ({ slot, player }));
}

function sameInEveryRow(rows: readonly Row[]): Record<string, unknown> {
  const names = ['scheduled_start', 'actual_start', 'game_date', 'home_player_ids', 'away_player_ids'];
  const of = (row: Row) => Object.fromEntries(names.map((name) => [name, shown(closingLines, row, name)]));
  const [first, ...others] = rows.map(of);
  for (const other of others) assert.deepEqual(other, first);
  return first ?? {};
}

/** A value as the cases write it: a decimal by its shortest text. */
function shown(dataset: Dataset, row: Row, name: string): unknown {
  const type = typeOf(dataset, name);
  const value = row[name] ?? null;
  if (typeof value !== 'number') return value;
  if (type.kind === 'ts') return formatMicros(value);
  if (type.kind === 'date') return dateOfDays(value);
  return type.kind === 'dec' ? shortestText(value, type.scale) : value;
}

function typeOf(dataset: Dataset, name: string): ColumnType {
  return dataset.columns.find((column) => column.name === name)!.type;
}

/** Rows as a case expects them, their decimals by the shortest text too. */
function inNormalForm(dataset: Dataset, columns: readonly string[], rows: readonly (readonly unknown[])[]) {
  const decimals = columns.map((name) => typeOf(dataset, name).kind === 'dec');
  return rows.map((cells) =>
    cells.map((cell, at) => (decimals[at] && typeof cell === 'string' ? shortestDecimal(cell) : cell)),
  );
}

function shortestDecimal(text: string): string {
  return shortestText(exactUnscaled(readDecimal(text)!, 4)!, 4);
}

const emptyState: GameStateRow = {
  game_id: 'G',
  league: 'NBA',
  msf_game_id: 1,
  start_time: 0,
  original_start_time: null,
  ended_time: null,
  schedule_status: 'NORMAL',
  delayed_or_postponed_reason: null,
  played_status: 'UNPLAYED',
  period: null,
  period_type: null,
  intermission: null,
  clock_seconds_remaining: null,
  possession_team_id: null,
  home_team_id: 'H',
  away_team_id: 'A',
  home_score: null,
  away_score: null,
  home_period_scores: [],
  away_period_scores: [],
  venue_id: null,
  venue_name: null,
  venue_allegiance: null,
  attendance: null,
  situation: null,
};
