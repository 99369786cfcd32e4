// Shrinks a failing sequence: takes the first smaller candidate that still fails, and repeats this until no candidate
// fails or enough were tried.

const mostTries = 3_000;

export function shrinkBy<T>(
  start: readonly T[],
  candidates: (sequence: readonly T[]) => Iterable<T[]>,
  fails: (sequence: readonly T[]) => boolean,
): T[] {
  let smallest = [...start];
  let tries = 0;
  for (;;) {
    let smaller: T[] | undefined;
    for (const candidate of candidates(smallest)) {
      if (tries === mostTries) return smallest;
      tries += 1;
      if (!fails(candidate)) continue;
      smaller = candidate;
      break;
    }
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

/** The sequence without its end, without its beginning, and without each single item. */
export function* withFewer<T>(sequence: readonly T[]): Generator<T[]> {
  const half = Math.ceil(sequence.length / 2);
  if (half > 1) {
    yield sequence.slice(0, half);
    yield sequence.slice(half);
  }
  for (const index of sequence.keys()) yield sequence.toSpliced(index, 1);
}
