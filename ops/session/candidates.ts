// What somebody may have meant by a name that is not known.

const mostShown = 8;

/** In words: the known names that are nearest, or the first of all; '' if none is known. */
export function candidates(name: string, known: readonly string[]): string {
  const near = known.filter((each) => distance(name.toLowerCase(), each.toLowerCase()) <= 1 + name.length / 4);
  if (near.length > 0) return `did you mean ${near.slice(0, mostShown).join(' or ')}?`;
  if (known.length === 0) return '';
  return `known are ${known.slice(0, mostShown).join(', ')}${known.length > mostShown ? ' …' : ''}`;
}

/** How many letters have to be added, removed or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1];
    for (let other = 0; other < to.length; other += 1) {
      const replaced = (row[other] ?? 0) + (from[at] === to[other] ? 0 : 1);
      next.push(Math.min(replaced, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
