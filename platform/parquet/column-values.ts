// The values of one column for some rows, between rows and pages: values read from pages become rows, or pages of another file.

export type ColumnValues = {
  /** Level entries: one per row; for a list one per element, or one if it is empty. */
  readonly count: number;
  /** How many of the entries have a value. */
  readonly values: number;
  /** 1 where an entry has a value; null where all have. */
  readonly present: Uint8Array | null;
  /** For a list: 0 if an entry begins a row, 1 if it continues the row's list. */
  readonly repeated: Uint8Array | null;
  /** The values of a column of numbers or flags; a flag is 0 or 1. */
  readonly numbers: Float64Array;
  /** The distinct texts of a column, and for each value the index of its text. */
  readonly texts: readonly string[];
  readonly codes: Uint32Array;
};

export const noNumbers = new Float64Array(0);
export const noTexts: readonly string[] = [];
export const noCodes = new Uint32Array(0);
