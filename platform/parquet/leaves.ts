// Extracts the leaf values of one column from rows: the present values, and levels that say where they are. A value that the column's type
// does not allow — of another shape, or out of range — is the caller's bug and throws.
import type { ColumnLayout } from './layout.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Reused from column to column. `count` level entries hold `values` values. */
export class Leaves {
  /** Of a text column. */
  readonly texts: string[] = [];
  /** Of every other column; a flag is 0 or 1. */
  numbers = new Float64Array(1024);
  /** 1 if an entry has a value; an entry without one is a null or an empty list. */
  present = new Uint8Array(1024);
  /** 0 if an entry begins a row, 1 if it continues the row's list. */
  repeated = new Uint8Array(0);
  values = 0;
  count = 0;
  readonly coded = null;

  /** Takes `column` of `rows[from, to)`. */
  collect(rows: readonly Row[], from: number, to: number, column: ColumnLayout): void {
    this.texts.length = 0;
    this.values = 0;
    this.count = 0;
    if (column.list) this.collectLists(rows, from, to, column);
    else {
      this.reserve(to - from);
      if (column.leaf === 'text') this.collectTexts(rows, from, to, column);
      else if (column.leaf === 'flag') this.collectFlags(rows, from, to, column);
      else this.collectNumbers(rows, from, to, column);
    }
  }

  private collectTexts(rows: readonly Row[], from: number, to: number, { name, column }: ColumnLayout): void {
    const { texts, present } = this;
    for (let index = from; index < to; index++) {
      const value = rows[index]![name];
      if (typeof value === 'string') {
        texts.push(value);
        present[index - from] = 1;
      } else {
        if (value !== null || !column.nullable) throw misfit(column.name, value);
        present[index - from] = 0;
      }
    }
    this.values = texts.length;
    this.count = to - from;
  }

  private collectNumbers(rows: readonly Row[], from: number, to: number, layout: ColumnLayout): void {
    const { name, nullable, lowest, highest } = layout;
    const { numbers, present } = this;
    let values = 0;
    for (let index = from; index < to; index++) {
      const value = rows[index]![name];
      if (typeof value === 'number') {
        if (!(value >= lowest && value <= highest && Number.isInteger(value))) throw misfit(name, value);
        numbers[values++] = value;
        present[index - from] = 1;
      } else {
        if (value !== null || !nullable) throw misfit(name, value);
        present[index - from] = 0;
      }
    }
    this.values = values;
    this.count = to - from;
  }

  private collectFlags(rows: readonly Row[], from: number, to: number, { name, nullable }: ColumnLayout): void {
    const { numbers, present } = this;
    let values = 0;
    for (let index = from; index < to; index++) {
      const value = rows[index]![name];
      if (typeof value === 'boolean') {
        numbers[values++] = value ? 1 : 0;
        present[index - from] = 1;
      } else {
        if (value !== null || !nullable) throw misfit(name, value);
        present[index - from] = 0;
      }
    }
    this.values = values;
    this.count = to - from;
  }

  private collectLists(rows: readonly Row[], from: number, to: number, layout: ColumnLayout): void {
    for (let index = from; index < to; index++) {
      const list = rows[index]![layout.name];
      if (!Array.isArray(list)) throw misfit(layout.name, list);
      this.reserve(this.count + Math.max(1, list.length));
      this.repeated[this.count] = 0;
      if (list.length === 0) this.present[this.count++] = 0;
      for (let at = 0; at < list.length; at++) {
        this.addElement(list[at], layout);
        this.repeated[this.count] = at === 0 ? 0 : 1;
        this.present[this.count++] = 1;
      }
    }
  }

  private addElement(value: unknown, { name, leaf, lowest, highest }: ColumnLayout): void {
    if (leaf === 'text') {
      if (typeof value !== 'string') throw misfit(name, value);
      this.texts.push(value);
    } else {
      if (!Number.isInteger(value) || (value as number) < lowest || (value as number) > highest)
        throw misfit(name, value);
      this.numbers[this.values] = value as number;
    }
    this.values++;
  }

  private reserve(count: number): void {
    if (count > this.present.length) {
      const size = Math.max(count, this.present.length * 2);
      this.present = grown(this.present, new Uint8Array(size));
      this.numbers = grown(this.numbers, new Float64Array(size));
    }
    if (this.repeated.length < this.present.length) {
      this.repeated = grown(this.repeated, new Uint8Array(this.present.length));
    }
  }
}

export function grown<T extends Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function misfit(column: string, value: unknown): Error {
  return new Error(`column ${column} cannot hold ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`);
}
