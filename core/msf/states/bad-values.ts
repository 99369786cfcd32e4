// Statistics that give no row, by their pointers in the element (docs/revisions.md#values: `bad-value`): values that are not numbers, or
// that do not fit their column. Null means that there is no value. Never throws. Separate from reading the rows: a number that fits costs
// one comparison.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import type { ElementText } from '../bodies/element-text.ts';
import { descriptorOf } from '../feeds/feeds.ts';
import type { MsfFeed } from '../types.ts';
import { dec124Of, listOf, valueAt } from '../values.ts';

/** How many faults of one element are reported: each becomes a dead letter with the whole record. */
const mostReported = 10;

/** A longer pointer is shortened to the one of an enclosing value. */
const longestPointer = 500;

/** The pointers of the first statistics of an element that give no row; `text`: the text of that element. */
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
  /** All faults, reported or not. */
  #found = 0;

  constructor(text: ElementText | null) {
    this.#text = text;
  }

  /** Checks `member` of each entry of a list, except entries that `text` already knows to be free of faults. */
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

  /** `trail` is the path of `value`. */
  collect(value: JsonValue, trail: (string | number)[]): void {
    // Callers read numbers that they have names for; a number here has no name or does not fit.
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
    if (this.pointers.length === mostReported) return;
    let pointer = '';
    for (const step of trail) {
      const longer = `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (longer.length > longestPointer) break;
      pointer = longer;
    }
    this.pointers.push(pointer);
  }
}

/** Any number below this fits. */
const room = 99_999_999;

/** Whether a value is free of faults, as nearly all are. */
function fits(value: JsonValue): boolean {
  if (typeof value === 'number') return Math.abs(value) < room;
  if (isJsonArray(value)) return value.every((each) => each === null || (isJsonObject(each) && fits(each)));
  return value === null || (isJsonObject(value) && Object.values(value).every(fits));
}
