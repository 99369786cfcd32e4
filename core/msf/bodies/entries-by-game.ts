// Groups the entries of a body that is a list (games, gamelogs) by game as they are read, so that no caller has to hold all of them as
// objects at once.
import type { JsonValue } from '../../json/value.ts';
import type { EntriesForm } from '../feeds/feed.ts';
import { valueAt } from '../values.ts';
import { type BadBody, entryProblem } from './bad-body.ts';
import { gameOf, type MsfGame } from './game-object.ts';

/** The entries of one game, in the order of the body: `first` is the index of the first one, `kept` what the caller keeps of each. */
export type GameEntries<Kept> = { readonly game: MsfGame; readonly first: number; readonly kept: Kept[] };

export class EntriesByGame<Kept> {
  /** By the id of each game, in the order of the body. */
  readonly games = new Map<number, GameEntries<Kept>>();
  readonly #form: EntriesForm;

  constructor(form: EntriesForm) {
    this.#form = form;
  }

  /** Adds the entry at `index` of the list to its game. Returns the fault of an entry that is refused, otherwise null. */
  add(entry: JsonValue, index: number, keep: (entry: JsonValue) => Kept): BadBody | null {
    const problem = entryProblem(this.#form, entry, `/${this.#form.list}/${index}`);
    const game = problem === null ? gameOf(valueAt(entry, this.#form.game), this.#form.gameForm) : null;
    if (game === null) return problem;
    const known = this.games.get(game.id);
    if (known === undefined) this.games.set(game.id, { game, first: index, kept: [keep(entry)] });
    else known.kept.push(keep(entry));
    return null;
  }
}
