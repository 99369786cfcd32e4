// Runs the pushes of one Idempotency-Key one after another in this process: of several concurrent ones, the first goes into the log and the
// others are answered from its receipt. (With several gateways, each may log one; the fold then recognises the duplicates.)

const last = new Map<string, Promise<unknown>>();

/** Runs `work` when no other work of this source and key is in progress. */
export function inKeyMutex<T>(source: string, key: string, work: () => Promise<T>): Promise<T> {
  const name = `${source}\n${key}`;
  const before = last.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(name, mine);
  const leave = (): void => {
    if (last.get(name) === mine) last.delete(name);
  };
  mine.then(leave, leave);
  return mine;
}
