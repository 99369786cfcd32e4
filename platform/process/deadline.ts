// Millisecond deadlines in a process that may itself be busy for as long.

/** A call had no answer in time. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * The result of `work`, or a rejection after `ms`. An answer that arrived while this process was busy still counts: it is read before the
 * call is given up.
 */
export function within<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new DeadlinePassed(`no answer within ${ms} ms`));
    // The event loop reads sockets between timers and immediates.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
