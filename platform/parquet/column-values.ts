// The values of one column of some rows, between rows and pages: what is read from pages here becomes rows, or pages of another file.

export type ColumnValues = {
  /** Entries of the levels: one a row, and of a list one an element, an empty list having one too. */
  readonly count: number;
  /** How many of the entries have a value. */
  readonly values: number;
  /** 1 where an entry has a value; null where all have. */
  readonly present: Uint8Array | null;
  /** Of a list: 0 where an entry begins a row, 1 where it goes on with the row's list. */
  readonly repeated: Uint8Array | null;
  /** The values of a column of numbers or flags; a flag is 0 or 1. */
  readonly numbers: Float64Array;
  /** The different texts of a column of texts, and for each value which of them it is. */
  readonly texts: readonly string[];
  readonly codes: Uint32Array;
};

export const noNumbers = new Float64Array(0);
export const noTexts: readonly string[] = [];
export const noCodes = new Uint32Array(0);
