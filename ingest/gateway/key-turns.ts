// Pushes of one Idempotency-Key go one after another in this process: of many sent at once the first goes into the log and the others are
// answered from its receipt. (Those of several gateways may all go into the log; there the fold finds the duplicates.)

const turns = new Map<string, Promise<unknown>>();

/** Does `work` when no other of this source and key is under way. */
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
