// Statistics that give no row, by their pointers in the element (docs/revisions.md#values: `bad-value`): what is no number, or has no room in its
// column. Null says that there is none. Total, and apart from the reading of rows: of a number that fits it costs one look.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { descriptorOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { dec124Of, listOf, valueAt } from '../values.ts';

/** How many of one element are reported: each becomes a dead letter with the whole record. */
const mostTold = 10;

/** Where names are longer, what is named is what they are in. */
const longestPointer = 500;

/** The pointers of the first statistics of an element that give no row; `text`: of that element. */
export function badValues(feed: MsfFeed, element: JsonObject, text: ElementText | null = null): readonly string[] {
  const found = new Found(text);
  for (const place of descriptorOf(feed).statistics) {
    if ('at' in place) found.collect(valueAt(element, ...place.at), [...place.at]);
    else found.collectEach(valueAt(element, ...place.list), place.list, place.member);
  }
  return found.pointers;
}

class Found {
  readonly pointers: string[] = [];
  readonly #text: ElementText | null;
  /** Told or not. */
  #found = 0;

  constructor(text: ElementText | null) {
    this.#text = text;
  }

  /** In `member` of each entry of a list, but for those that `text` has met before with nothing bad in them. */
  collectEach(list: JsonValue, trail: readonly string[], member: string): void {
    const entries = this.#text?.entriesOf(list) ?? [];
    for (const [index, value] of listOf(list).entries()) {
      const entry = entries[index];
      if (entry?.givesRows === true) continue;
      const before = this.#found;
      this.collect(valueAt(value, member), [...trail, index, member]);
      if (entry !== undefined && this.#found === before) entry.givesRows = true;
    }
  }

  /** `trail` leads to `value`. */
  collect(value: JsonValue, trail: (string | number)[]): void {
    // Callers handle numbers they know: a number here has no name, or no room.
    if (typeof value !== 'number' && fits(value)) return;
    if (isJsonArray(value)) {
      for (const [index, each] of value.entries()) {
        if (isJsonObject(each)) this.#collectBelow(each, index, trail);
        else if (each !== null) this.#note([...trail, index]);
      }
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) {
        const member = memberOf(value, name);
        if (dec124Of(member) === null) this.#collectBelow(member, name, trail);
      }
    } else if (value !== null) this.#note(trail);
  }

  #collectBelow(value: JsonValue, step: string | number, trail: (string | number)[]): void {
    trail.push(step);
    this.collect(value, trail);
    trail.pop();
  }

  #note(trail: readonly (string | number)[]): void {
    this.#found += 1;
    if (this.pointers.length === mostTold) return;
    let pointer = '';
    for (const step of trail) {
      const longer = `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (longer.length > longestPointer) break;
      pointer = longer;
    }
    this.pointers.push(pointer);
  }
}

/** Any number below it has room. */
const room = 99_999_999;

/** Whether nothing in a value is bad, which is what nearly all values are. */
function fits(value: JsonValue): boolean {
  if (typeof value === 'number') return Math.abs(value) < room;
  if (isJsonArray(value)) return value.every((each) => each === null || (isJsonObject(each) && fits(each)));
  return value === null || (isJsonObject(value) && Object.values(value).every(fits));
}
