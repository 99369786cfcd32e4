// Names in a message: the first few, and how many more there are, because people read it.

const mostNamed = 5;

export function firstFew(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, mostNamed);
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ');
}
