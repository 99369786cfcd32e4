// A semaphore with a bounded queue: so many pieces of work run at a time, a bounded number wait in order, and any beyond that fails at once.

/** Too many wait already. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** @throws NoTurn (the turns, not this) when `waiting` are waiting. */
export function openTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  const queue: (() => void)[] = [];
  let taken = 0;

  return async (work) => {
    if (taken < atOnce) taken += 1;
    else if (queue.length >= waiting) throw new NoTurn(`${waiting} wait already`);
    // Work that ends passes its place to the next in line.
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
