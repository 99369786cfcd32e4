// A game's log as the scripted server has it: rows, segments, rebuilt logs, the final file. Every row differs from every other in values that
// a client may get wrong: decimals, microseconds, nulls, the log that it is of.
import { canonicalCells } from '../../../core/msf/canonical-row.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type SportsbookLinesRow, sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';

export type Segment = { seq: number; rows: SportsbookLinesRow[]; closed: boolean };
export type RowInJson = Readonly<Record<string, unknown>>;

const start = Date.UTC(2026, 0, 10, 0, 30) * 1000;
const operators = ['alpha', 'beta'] as const;
const changes = ['opened', 'price', 'line', 'suspended', 'resumed', 'withdrawn'] as const;

export class LogWorld {
  readonly game: string;
  segments: Segment[] = [];
  settled = false;
  /** As it is stored. */
  status = 'STARTED';
  /** Rows of every log that the game has had, by the number of the log from 1. */
  readonly #logs: SportsbookLinesRow[][] = [[]];
  #nextSeq = 1;

  constructor(game: string) {
    this.game = game;
  }

  /** Of the final file: rows that were removed from it have made another. */
  get version(): number {
    return this.rows.length < (this.#logs.at(-1)?.length ?? 0) ? 2 : 1;
  }

  /** A game that is settled during play is over; one that is settled in another status keeps it. */
  get shownStatus(): string {
    return this.settled && this.status === 'STARTED' ? 'COMPLETED' : this.status;
  }

  get rows(): readonly SportsbookLinesRow[] {
    return this.segments.flatMap(({ rows }) => rows);
  }

  append(count: number): void {
    const log = this.#logs.at(-1) ?? [];
    for (let n = 0; n < count; n += 1) {
      const row = rowOf(this.game, this.#logs.length, log.length + 1);
      log.push(row);
      this.#tail().rows.push(row);
    }
  }

  cut(): void {
    const tail = this.segments.at(-1);
    if (tail !== undefined) tail.closed = true;
  }

  /** A new log, above every `seq` that was ever used. */
  rebuild(count: number): void {
    this.segments = [];
    this.#logs.push([]);
    if (count > 0) this.append(count);
  }

  /** The service's data come back from a backup that has the log's first rows alone. */
  restore(count: number): void {
    const log = this.#logs.at(-1) ?? [];
    log.splice(count);
    for (const segment of this.segments) segment.rows = segment.rows.filter((row) => log.includes(row));
    this.segments = this.segments.filter(({ rows }) => rows.length > 0);
    const tail = this.segments.at(-1);
    if (tail !== undefined) tail.closed = false;
  }

  /** Row `number` is missing from its file; the rows after it keep their numbers. */
  lose(number: number): void {
    for (const segment of this.segments) segment.rows = segment.rows.filter((row) => row.row_number !== number);
  }

  /** Row `number` is there once more, after the last row. */
  repeat(number: number): void {
    const row = this.rows.find((each) => each.row_number === number);
    if (row !== undefined) this.#tail().rows.push(row);
  }

  /** Row `number` of the log `log`, by default of the one that is served, in JSON form. */
  rowInJson(number: number, log = this.#logs.length): RowInJson | undefined {
    const row = this.#logs[log - 1]?.[number - 1];
    if (row === undefined) return undefined;
    const cells = canonicalCells(sportsbookLines.columns, row);
    return Object.fromEntries(sportsbookLines.columns.map(({ name }, at) => [name, cells[at]]));
  }

  boardFile(operator: string): Uint8Array {
    const rows = this.boardRows(operator).map((row) => ({
      ...row,
      last_changed_at: row.timestamp,
      operator_observed_through: row.timestamp,
      quote_state: 'live' as const,
    }));
    return parquetWriter.encode('board', rows, new Map());
  }

  boardRows(operator: string): readonly SportsbookLinesRow[] {
    return this.rows.filter((row) => row.operator === operator);
  }

  operators(): string[] {
    return [...new Set(this.rows.map(({ operator }) => operator))];
  }

  #tail(): Segment {
    const last = this.segments.at(-1);
    if (last !== undefined && !last.closed) return last;
    const tail: Segment = { seq: this.#nextSeq, rows: [], closed: false };
    this.#nextSeq += 1;
    this.segments.push(tail);
    return tail;
  }
}

export function linesFile(rows: readonly SportsbookLinesRow[]): Uint8Array {
  return parquetWriter.encode('sportsbook-lines', rows, new Map());
}

function rowOf(game: string, log: number, number: number): SportsbookLinesRow {
  const operator = operators[number % operators.length] ?? 'alpha';
  return {
    game_id: game,
    league: 'NBA',
    operator,
    row_number: number,
    selection_id: `spread/game/home/${number}`,
    market: 'spread',
    period: 'game',
    selection: number % 3 === 0 ? 'Dončić 🏀' : 'home',
    player_id: null,
    line: number % 4 === 0 ? null : -1500 - number,
    price_american: number % 5 === 0 ? null : -110 - number,
    price_decimal: number % 5 === 0 ? null : 19_091 + number,
    price_source_format: 'american',
    is_open: number % 2 === 0,
    change: changes[number % changes.length] ?? 'price',
    in_play: false,
    timestamp: start + number * 1_000_001 + log,
    source_timestamp: number % 2 === 0 ? null : start + number,
    source: `log-${log}`,
  };
}
