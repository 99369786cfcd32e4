// The result of core/settlement for a whole log in the form of the settlement vectors, in the notation of the cases.
import assert from 'node:assert/strict';
import { exactUnscaled, readDecimal, shortestText } from '../../../core/decimal.ts';
import { chooseStarters, type Slot } from '../../../core/msf/states/lineups.ts';
import { ClosingLines } from '../../../core/settlement/closing-lines.ts';
import { startOfPlay } from '../../../core/settlement/game-lifecycle.ts';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { dateOfDays, formatMicros } from '../../../core/time/rfc3339.ts';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import type { ColumnType, Dataset } from '../../../schemas/datasets/column.ts';
import { SettlementLog, type VectorRecord } from './settlement-log.ts';

type Row = Readonly<Record<string, unknown>>;
type VectorSlot = readonly [slot: string, player: number | string | null];
type VectorLineup = { actual?: readonly VectorSlot[]; expected?: readonly VectorSlot[] };
export type LogGiven = { records: readonly VectorRecord[]; lineup?: { home?: VectorLineup; away?: VectorLineup } };

const caseOfBasis = { status: 'a', in_play: 'b', scheduled: 'c' } as const;

type Log = Pick<SettlementLog, 'apply' | 'course' | 'rows' | 'refused' | 'closedBy'>;

/** Everything a case may check in a log. Its rows have `columns`. `log`: starts empty and takes the records. */
export function closedLog(
  { records, lineup }: LogGiven,
  columns: readonly string[],
  log: Log = new SettlementLog(),
): Record<string, unknown> {
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
  // Rows of a dataset hold ids as texts; in the cases they may be numbers.
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

/** A value as the cases write it; decimals without trailing zeros. */
export function shown(dataset: Dataset, row: Row, name: string): unknown {
  const type = typeOf(dataset, name);
  const value = row[name] ?? null;
  if (typeof value !== 'number') return value;
  if (type.kind === 'ts') return formatMicros(value);
  if (type.kind === 'date') return dateOfDays(value);
  return type.kind === 'dec' ? shortestText(value, type.scale) : value;
}

/** The rows a case expects, their decimals without trailing zeros too. */
export function inNormalForm(dataset: Dataset, columns: readonly string[], rows: readonly (readonly unknown[])[]) {
  const decimals = columns.map((name) => typeOf(dataset, name).kind === 'dec');
  return rows.map((cells) =>
    cells.map((cell, at) => (decimals[at] && typeof cell === 'string' ? shortestDecimal(cell) : cell)),
  );
}

function typeOf(dataset: Dataset, name: string): ColumnType {
  return dataset.columns.find((column) => column.name === name)!.type;
}

function shortestDecimal(text: string): string {
  return shortestText(exactUnscaled(readDecimal(text)!, 4)!, 4);
}
