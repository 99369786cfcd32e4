// Runs the pushes of one Idempotency-Key one after another in this process: of several concurrent ones, the first goes into the log and the
// others are answered from its receipt. (With several gateways, each may log one; the fold then recognises the duplicates.)

const turns = new Map<string, Promise<unknown>>();

/** Runs `work` when no other work of this source and key is in progress. */
export function inTurnOfKey<T>(source: string, key: string, work: () => Promise<T>): Promise<T> {
  const name = `${source}\n${key}`;
  const before = turns.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  turns.set(name, mine);
  const leave = (): void => {
    if (turns.get(name) === mine) turns.delete(name);
  };
  mine.then(leave, leave);
  return mine;
}
