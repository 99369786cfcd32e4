// A semaphore with a bounded queue: `atOnce` pieces of work run at a time, at most `maxWaiting` wait in order, and any further one fails at
// once.

/** The queue is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** The returned function throws QueueFull when the queue is full. */
export function openSemaphore({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < atOnce) running += 1;
    else if (queue.length >= maxWaiting) throw new QueueFull(`queue is full (${maxWaiting} waiting)`);
    // Work that ends passes its place to the next in line.
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
