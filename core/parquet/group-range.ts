// Which row groups of a file hold a range of its rows. Depends on row counts alone.

/** The groups `[first, end)`. `before`: rows of the first that precede the range; `after`: rows of the last that follow it. */
type GroupRange = { first: number; end: number; before: number; after: number };

/** The groups that hold the rows `[from, to)`; there must be at least one such row, and the groups must have them all. */
export function groupsHolding(rowsOfGroups: readonly number[], from: number, to: number): GroupRange {
  let first = 0;
  let start = 0;
  while (start + rowsOfGroups[first]! <= from) start += rowsOfGroups[first++]!;
  let end = first;
  let stop = start;
  while (stop < to) stop += rowsOfGroups[end++]!;
  return { first, end, before: from - start, after: stop - to };
}
