// Writes the texts of elements that differ only in the entries of one list: those of the games of a league
// (docs/revisions.md#injuries-of-a-game). The part around the list is written once, and so is each entry, because one body may give
// elements for hundreds of games.
import type { JsonObject, JsonValue } from '../../core/json/value.ts';
import { jsonText } from './json-text.ts';

export class ListTexts {
  readonly #before: string;
  readonly #after: string;
  readonly #empty: string;
  readonly #entries = new Map<JsonValue, string>();

  /** `list`: the name of the list's member. */
  constructor(element: JsonObject, list: string) {
    const members = Object.entries(element);
    const at = members.findIndex(([name]) => name === list);
    const texts = members.map(([name, value], index) =>
      index === at ? '' : `${JSON.stringify(name)}:${jsonText(value)}`,
    );
    this.#before = `{${[...texts.slice(0, at), `${JSON.stringify(list)}:[`].join(',')}`;
    this.#after = `${[']', ...texts.slice(at + 1)].join(',')}}`;
    this.#empty = this.#before + this.#after;
  }

  /** The `jsonText` of the element with these entries in its list. */
  textWith(entries: readonly JsonValue[]): string {
    if (entries.length === 0) return this.#empty;
    return this.#before + entries.map((entry) => this.#textOf(entry)).join(',') + this.#after;
  }

  #textOf(entry: JsonValue): string {
    const text = this.#entries.get(entry) ?? jsonText(entry);
    this.#entries.set(entry, text);
    return text;
  }
}
