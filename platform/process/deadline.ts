// Deadlines of milliseconds, in a process that may be busy itself for as long.

/** A call was not answered in time. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * The answer of `work`, or a rejection when there is none after `ms`. What arrived while this process was busy elsewhere is in time: it is
 * read before anybody is given up.
 */
export function within<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new DeadlinePassed(`no answer within ${ms} ms`));
    // Sockets are read between a timer and an immediate.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
