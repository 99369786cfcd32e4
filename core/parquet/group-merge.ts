// When to merge the small row groups of an open tail: a log-structured merge that depends only on row counts, so that a reopened tail
// continues as if it had never been closed. Keeps fewer than 16 groups per power of 16, and encodes each row a bounded number of times.

const fanIn = 16;

/**
 * How many of the last groups to encode anew as one; 0 for none. At least 16 groups, none of a higher power of 16 than the last
 * (docs/durability.md#the-open-tail).
 */
export function groupsToMerge(rowsOfGroups: readonly number[]): number {
  let merged = 1;
  let rows = rowsOfGroups.at(-1) ?? 0;
  for (;;) {
    const run = trailingRun(rowsOfGroups, merged, tier(rows));
    // The groups merged so far count as one.
    if (run - merged + 1 < fanIn) return merged > 1 ? merged : 0;
    merged = run;
    rows = sumOfLast(rowsOfGroups, run);
  }
}

/** How many groups at the end are of tier `highest` or below; the last `known` are. */
function trailingRun(rowsOfGroups: readonly number[], known: number, highest: number): number {
  let run = known;
  while (run < rowsOfGroups.length && tier(rowsOfGroups.at(-1 - run)!) <= highest) run++;
  return run;
}

/** The highest power of 16 that `rows` reaches. */
function tier(rows: number): number {
  let power = 0;
  for (let bound = fanIn; rows >= bound; bound *= fanIn) power++;
  return power;
}

function sumOfLast(rowsOfGroups: readonly number[], count: number): number {
  let sum = 0;
  for (let index = rowsOfGroups.length - count; index < rowsOfGroups.length; index++) sum += rowsOfGroups[index]!;
  return sum;
}
