// Logs that are folded but not published: games of one partition, by the rules of their projector. Rows are kept until they are taken, so a
// caller that takes closed segments holds little more than one segment per game.
import { nilUuid } from '../../core/games/uuid.ts';
import { boardRows, operatorsWithRows } from '../../core/live/board.ts';
import type { GameState } from '../../core/live/game-state.ts';
import type { BoardRow, QuoteRow } from '../../core/live/types.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { type GameChanges, noLiveChanges } from '../../projectors/live/changes.ts';
import { foldingRecord, type LiveGames } from '../../projectors/live/fold-record.ts';

export class ShadowLogs {
  readonly #live: LiveGames;
  readonly #uuids: ReadonlySet<string>;
  readonly #rows = new Map<string, GameChanges>();

  /** `uuids`: the games to fold; records of other games are skipped. */
  constructor(partition: number, uuids: ReadonlySet<string>) {
    this.#live = { partition, games: new Map<string, GameState>(), touched: new Set(), closed: new Set() };
    this.#uuids = uuids;
  }

  *folding(records: readonly DeliveredRecord[]): Task<void> {
    for (const record of records) {
      if (record.key !== nilUuid && !this.#uuids.has(record.key ?? '')) continue;
      // Other effects of the records, such as dead letters, were committed when they were first folded.
      yield* foldingRecord(this.#live, { ...noLiveChanges(), games: this.#rows }, record);
    }
    this.#live.touched.clear();
  }

  /** The rows of closed segments, in order; they are then released. */
  takeClosed(): { uuid: string; rows: readonly QuoteRow[] }[] {
    return [...this.#rows].flatMap(([uuid, { pieces }]) =>
      pieces.splice(0, Math.max(0, pieces.length - 1)).map(({ rows }) => ({ uuid, rows })),
    );
  }

  /** The rows of the open segment. */
  open(uuid: string): readonly QuoteRow[] {
    return this.#rows.get(uuid)?.pieces.at(-1)?.rows ?? [];
  }

  boards(uuid: string): ReadonlyMap<string, readonly BoardRow[]> {
    const game = this.#live.games.get(uuid);
    if (game === undefined) return new Map();
    return new Map(operatorsWithRows(game).map(({ code }) => [code, boardRows(game, code)]));
  }
}
