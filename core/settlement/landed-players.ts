// The players of selections as the newest version of market-results has them, whatever the reference data says of names and teams by now:
// their changes make no version, so a check of the landed file must not read them as one (docs/settlement.md#players-by-name).
import type { MarketResultsRow } from '../../schemas/datasets/market-results.ts';
import type { Named, NamedPlayers } from './player-names.ts';
import { selectionKey } from './selections.ts';

export class LandedPlayers implements NamedPlayers {
  readonly #landed: ReadonlyMap<string, MarketResultsRow>;
  readonly #byReference: NamedPlayers;

  /** `byReference`: for what the version cannot tell. */
  constructor(landed: readonly MarketResultsRow[], byReference: NamedPlayers) {
    this.#landed = new Map(landed.map((row) => [selectionKey(row.selection_id, row.line), row]));
    this.#byReference = byReference;
  }

  /** Asked only where the selection has an id without a row: its result says whether its name was another's. */
  isInBoxScore(selection: Named): boolean {
    const landed = this.#rowOf(selection);
    return landed === undefined ? this.#byReference.isInBoxScore(selection) : landed.result_reason === 'unknown_player';
  }

  /** Null where the version found no player. A player that it has is kept, or was one of removed rows: he is no finding. */
  find(selection: Named): { id: string; hasRow: boolean } | null {
    return this.#rowOf(selection)?.player_id === null ? null : this.#byReference.find(selection);
  }

  #rowOf({ selectionId, line }: Named): MarketResultsRow | undefined {
    return this.#landed.get(selectionKey(selectionId, line));
  }
}
