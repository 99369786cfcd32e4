// The players of the rows that the administrator has removed, by selection and line. A row named such a player, and no name found him, so he
// does not outlast the row (docs/settlement.md#corrections).
import { type SelectionRow, selectionKey } from './selections.ts';

export class RemovedPlayers {
  readonly #ids = new Map<string, Set<string>>();

  /** Takes the next removed row of the log. */
  add({ selection_id: selectionId, line, player_id: playerId, is_open: isOpen }: SelectionRow): void {
    if (!isOpen || playerId === null) return;
    const key = selectionKey(selectionId, line);
    const ids = this.#ids.get(key);
    if (ids === undefined) this.#ids.set(key, new Set([playerId]));
    else ids.add(playerId);
  }

  /** Whether a removed row told of this player. */
  has(selectionId: string, line: number | null, playerId: string): boolean {
    return this.#ids.get(selectionKey(selectionId, line))?.has(playerId) ?? false;
  }
}
