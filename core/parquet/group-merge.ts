// When small row groups of an open tail become one: a log-structured merge over the counts of rows alone, so that a tail that
// was opened again goes on as if it had never been closed. Keeps the number of groups below 16 for each power of 16, and every
// row is encoded again a bounded number of times.

const fanIn = 16;

/**
 * How many of the last groups are to be encoded anew as one, 0 for none: at least 16 groups, none of a higher power of 16 than
 * the last (docs/durability.md#the-open-tail).
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

/** The length of the run of groups at the end that are of `highest` or below; the last `known` are. */
function trailingRun(rowsOfGroups: readonly number[], known: number, highest: number): number {
  let run = known;
  while (run < rowsOfGroups.length && tier(rowsOfGroups.at(-1 - run)!) <= highest) run++;
  return run;
}

/** The power of 16 that `rows` has reached. */
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
