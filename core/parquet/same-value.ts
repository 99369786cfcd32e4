// Whether two cells of rows are equal. Lists are equal if their elements are.

/** Values as in a ParquetRow; an absent one is `undefined`. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((element, index) => element === b[index]);
}
