// Builds a game's log record by record with the real fold, as a projector would, and keeps the outcome of each record,
// all rows, the segments, and boards in the short form that tests compare.

import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import type { Effects } from '../../../core/live/fold.ts';
import { type GameState, newGame } from '../../../core/live/game-state.ts';
import type { LogState } from '../../../core/live/log-state.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { applyRecord } from '../builders/in-one-go.ts';
import { uuid } from '../builders/live-records.ts';
import { saveGame } from './save-game.ts';

export class LiveLog {
  game: GameState;
  readonly rows: QuoteRow[] = [];
  /** Rows per segment. */
  readonly segments: number[] = [];
  #offset = 0;

  constructor(log: { generation: number; firstSeq: number } = { generation: 1, firstSeq: 1 }) {
    this.game = newGame(uuid, log);
  }

  /** `timestamp`: the broker's; by default the time in the record. */
  apply(record: QuotesRecord, timestamp = record.received_at ?? record.tick?.at ?? record.status?.at ?? 0): Effects {
    const position = { partition: 0, offset: this.#offset, timestamp };
    this.#offset += 1;
    const effects = applyRecord(this.game, record, position);
    effects.rows.forEach((row, index) => {
      if (effects.segmentStarts.includes(index)) this.segments.push(0);
      this.segments[this.segments.length - 1]! += 1;
      this.rows.push(row);
    });
    return effects;
  }

  applyAll(records: readonly QuotesRecord[]): this {
    for (const record of records) this.apply(record);
    return this;
  }

  /** Continues with the state as a checkpoint keeps it: written to JSON and read back. */
  saveAndLoad(): this {
    this.game = loadGame(JSON.parse(JSON.stringify(saveGame(this.game))));
    return this;
  }

  /** `market/period/selection state` of each row of the operator's board. */
  board(operator: string): string[] {
    return boardRows(this.game, operator).map((row) => `${row.selection_id} ${row.quote_state}`);
  }

  boards(): Record<string, ReturnType<typeof boardRows>> {
    return Object.fromEntries(operatorsWithRows(this.game).map(({ code }) => [code, boardRows(this.game, code)]));
  }

  /** The log as its readers see it. */
  state(): LogState {
    let from = 0;
    const segments = this.segments.map((rows, index) => {
      const times = this.rows.slice(from, from + rows).map((row) => row.timestamp);
      from += rows;
      return {
        seq: this.game.firstSeq + index,
        rows,
        closed: index < this.segments.length - 1,
        min_timestamp: Math.min(...times),
        max_timestamp: Math.max(...times),
      };
    });
    return { generation: this.game.generation, firstSeq: this.game.firstSeq, segments };
  }
}

/** `OPERATOR selection_id change line@american` for each row: short, and enough to tell rows apart. */
export function inShort(rows: readonly QuoteRow[]): string[] {
  return rows.map(({ operator, selection_id, change, line, price_american }) => {
    const price = `${line === null ? '' : `${line / 1000}@`}${price_american ?? 'unpriced'}`;
    return `${operator} ${selection_id} ${change} ${price}`;
  });
}
