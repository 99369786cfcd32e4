// Folds a game's partition in the form `log` of the settlement vectors by the rules of core/settlement: which record
// closes it, what is refused, when play began and which rows the log has. The rows of each record are given.
import { normalisePrice } from '../../../core/quotes/price.ts';
import {
  type GameLifecycle,
  isOver,
  newLifecycle,
  noteInPlay,
  noteStart,
  noteStatus,
} from '../../../core/settlement/game-lifecycle.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { Micros } from '../../../core/units.ts';
import type { SportsbookLinesRow } from '../../../schemas/datasets/sportsbook-lines.ts';

type State = 'open' | 'suspended' | 'withdrawn';
export type VectorRow = readonly [
  operator: string,
  selectionId: string,
  line: number | null,
  american: number | null,
  state: State,
  playerId?: string | null,
];

export type VectorRecord = {
  time?: string;
  rows?: readonly VectorRow[];
  source?: string;
  start?: string | undefined;
  told_in_play?: boolean | undefined;
  in_play?: boolean | undefined;
  status?: string;
  at?: string;
  tick?: string;
  schedule?: string;
  settle?: boolean;
};

export class SettlementLog {
  readonly course: GameLifecycle = newLifecycle();
  readonly rows: SportsbookLinesRow[] = [];
  /** Indexes of observations after the close. */
  readonly refused: number[] = [];
  closedBy: number | null = null;
  #records = 0;
  #logTime: Micros | null = null;
  #schedule: Micros | null = null;
  #founder: { source: string; start: Micros } | null = null;

  apply(record: VectorRecord): void {
    const index = this.#records;
    this.#records += 1;
    if (this.closedBy !== null) {
      if (record.time !== undefined) this.refused.push(index);
      return;
    }
    if (record.time !== undefined) this.#observe(record, timeOf(record.time));
    if (record.tick !== undefined) this.#reach(timeOf(record.tick));
    if (record.schedule !== undefined) this.#schedule = timeOf(record.schedule);
    if (record.status !== undefined) noteStatus(this.course, { status: record.status, at: timeOf(record.at!) });
    noteStart(this.course, this.#schedule ?? this.#founder?.start ?? null, this.#logTime);
    if (record.settle === true || isOver(this.course, this.#logTime)) this.closedBy = index;
  }

  #observe(record: VectorRecord, time: Micros): void {
    this.#reach(time);
    const { source = 'feed', start, rows = [] } = record;
    if (start !== undefined && (this.#founder === null || this.#founder.source === source)) {
      this.#founder = { source, start: timeOf(start) };
    }
    if (record.told_in_play === true && rows.length > 0) noteInPlay(this.course, time);
    const inPlay = record.told_in_play ?? record.in_play ?? false;
    for (const row of rows) this.rows.push(rowOf(row, { source, inPlay, time, number: this.rows.length + 1 }));
  }

  #reach(time: Micros): void {
    this.#logTime = Math.max(this.#logTime ?? time, time);
  }
}

type RowContext = { source: string; inPlay: boolean; time: Micros; number: number };

function rowOf([operator, id, line, american, state, playerId]: VectorRow, context: RowContext): SportsbookLinesRow {
  const price =
    american === null ? null : normalisePrice({ american: String(american), decimal: null, fractional: null });
  const [market, period, selection] = id.split('/') as [string, string, string];
  return {
    game_id: 'NFL_DET_PHI_20260110',
    league: 'NFL',
    operator,
    row_number: context.number,
    selection_id: id,
    market,
    period,
    selection,
    player_id: playerId ?? null,
    line: line === null ? null : line * 1_000,
    price_american: price?.american ?? null,
    price_decimal: price?.decimal ?? null,
    price_source_format: price?.format ?? null,
    is_open: state === 'open',
    change: state === 'open' ? 'opened' : state,
    in_play: context.inPlay,
    timestamp: context.time,
    source_timestamp: null,
    source: context.source,
  };
}

export function timeOf(text: string): Micros {
  const time = parseRfc3339(text);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}
