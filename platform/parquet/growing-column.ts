// A column of a row group whose rows arrive some at a time, as rows or as pages of other files. Texts are dictionary-coded from the start:
// the texts of another file's pages are looked up once per distinct text, not once per row.
import type { ChunkValues, KnownCodes } from './chunk.ts';
import type { ColumnValues } from './column-values.ts';
import { Codes } from './dictionary.ts';
import type { ColumnLayout } from './layout.ts';
import { grown, Leaves, type Row } from './leaves.ts';

/** A position in a column: `entry` level entries, `value` values. */
type ColumnPosition = { readonly entry: number; readonly value: number };

export const beginning: ColumnPosition = { entry: 0, value: 0 };

const leaves = new Leaves();

/** The position `rows` rows after `from`. */
export function positionAfter(
  { count, present, repeated }: ColumnValues,
  from: ColumnPosition,
  rows: number,
): ColumnPosition {
  let { entry, value } = from;
  if (repeated === null) {
    const end = entry + rows;
    if (present === null) return { entry: end, value: value + rows };
    for (; entry < end; entry++) value += present[entry]!;
    return { entry, value };
  }
  for (let left = rows; entry < count; entry++) {
    if (repeated[entry] === 0 && left-- === 0) break;
    value += present === null ? 1 : present[entry]!;
  }
  return { entry, value };
}

export class GrowingColumn implements ChunkValues {
  readonly #column: ColumnLayout;
  readonly coded: GrowingTextCodes | null;
  numbers = new Float64Array(1024);
  present = new Uint8Array(1024);
  repeated = new Uint8Array(1024);
  values = 0;
  count = 0;

  constructor(column: ColumnLayout) {
    this.#column = column;
    this.coded = column.leaf === 'text' ? new GrowingTextCodes() : null;
  }

  get texts(): readonly string[] {
    return this.coded?.texts() ?? [];
  }

  clear(): void {
    this.coded?.clear();
    this.values = 0;
    this.count = 0;
  }

  addRows(rows: readonly Row[], from: number, to: number): void {
    leaves.collect(rows, from, to, this.#column);
    this.#addShape(leaves, 0, leaves.count, leaves.values);
    if (this.coded === null) this.#addNumbers(leaves.numbers, 0, leaves.values);
    else for (const text of leaves.texts) this.coded.add(text);
  }

  addValues(given: ColumnValues, from: ColumnPosition, to: ColumnPosition): void {
    this.#addShape(given, from.entry, to.entry, to.value - from.value);
    if (this.coded === null) this.#addNumbers(given.numbers, from.value, to.value);
    else this.coded.addCoded(given.texts, given.codes, from.value, to.value);
  }

  #addShape(
    { present, repeated }: Pick<ColumnValues, 'present' | 'repeated'>,
    from: number,
    to: number,
    values: number,
  ): void {
    this.#reserve(this.count + to - from);
    const { count } = this;
    if (present === null) this.present.fill(1, count, count + to - from);
    else this.present.set(present.subarray(from, to), count);
    if (this.#column.list && repeated !== null) this.repeated.set(repeated.subarray(from, to), count);
    this.count += to - from;
    this.values += values;
  }

  /** After `#addShape`, which has reserved the space. */
  #addNumbers(numbers: Float64Array, from: number, to: number): void {
    this.numbers.set(numbers.subarray(from, to), this.values - (to - from));
  }

  #reserve(count: number): void {
    if (count <= this.present.length) return;
    const size = Math.max(count, this.present.length * 2);
    this.present = grown(this.present, new Uint8Array(size));
    if (this.coded === null) this.numbers = grown(this.numbers, new Float64Array(size));
    if (this.#column.list) this.repeated = grown(this.repeated, new Uint8Array(size));
  }
}

/** Dictionary codes of texts, however many distinct ones there are. */
class GrowingTextCodes extends Codes<readonly string[]> implements KnownCodes {
  readonly entries: string[] = [];
  readonly #known = new Map<string, number>();
  #count = 0;

  clear(): void {
    this.entries.length = 0;
    this.#known.clear();
    this.distinct = 0;
    this.#count = 0;
  }

  add(text: string): void {
    this.#reserve(1);
    this.codes[this.#count++] = this.#codeOf(text);
  }

  /** Adds `texts[codes[from, to)]`. */
  addCoded(texts: readonly string[], codes: Uint32Array, from: number, to: number): void {
    this.#reserve(to - from);
    const mine = new Int32Array(texts.length).fill(-1);
    let count = this.#count;
    for (let index = from; index < to; index++) {
      const theirs = codes[index]!;
      let code = mine[theirs]!;
      if (code === -1) {
        code = this.#codeOf(texts[theirs]!);
        mine[theirs] = code;
      }
      this.codes[count++] = code;
    }
    this.#count = count;
  }

  plainLength(): number {
    const lengths = Uint32Array.from(this.entries, (text) => text.length);
    let length = this.#count * 4;
    for (let index = 0; index < this.#count; index++) length += lengths[this.codes[index]!]!;
    return length;
  }

  texts(): string[] {
    const texts = new Array<string>(this.#count);
    for (let index = 0; index < texts.length; index++) texts[index] = this.entries[this.codes[index]!]!;
    return texts;
  }

  #codeOf(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, this.distinct);
    this.entries.push(text);
    return this.distinct++;
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.codes.length) return;
    const codes = new Uint32Array(Math.max(needed, this.codes.length * 2));
    codes.set(this.codes);
    this.codes = codes;
  }
}
