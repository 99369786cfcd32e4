// Whether two cells of rows are equal: a list is, when its elements are.

/** Values as a ParquetRow has them; what is not there is `undefined`. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((element, index) => element === b[index]);
}
