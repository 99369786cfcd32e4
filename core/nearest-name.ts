// Which known name an unknown one probably meant. Only for the texts of refusals: a similar name is never accepted in place of the right
// one.

/** Longer names are not compared. */
const maxLength = 40;

/**
 * Those of `names` that `written` may mean, the nearest first: names with the same letters and digits in another spelling (`oddsFormat` for
 * `odds_format`), or at most two typing errors away, and no more than one per four characters.
 */
export function namesNear(written: string, names: readonly string[]): string[] {
  if (written.length > maxLength) return [];
  const bare = bareOf(written);
  const most = Math.min(2, Math.floor(bare.length / 4));
  return names
    .map((name) => ({ name, slips: slipsBetween(bare, bareOf(name)) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips)
    .map(({ name }) => name);
}

/** The nearest name; null if none is near. */
export function nearestName(written: string, names: readonly string[]): string | null {
  return namesNear(written, names)[0] ?? null;
}

function bareOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** How many characters must be removed, added, changed or swapped with their neighbour to turn one text into the other. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (last[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped =
        one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? (before[j - 2] as number) + 1 : changed;
      row.push(Math.min(changed, swapped, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    before = last;
    last = row;
  }
  return last[other.length] as number;
}
