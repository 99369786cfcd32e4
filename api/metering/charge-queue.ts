// Sends charges to the ledger: those that arrive during a call go together into the next one. An account is in one call at a time, because
// a second call would wait for the ledger's lock anyway; calls for different accounts run in parallel.
import type { Charge, LedgerAnswer } from '../../core/ports/ledger.ts';
import { Unavailable } from '../dependencies/deadlines.ts';

type Waiting = { charge: Charge; done(charged: LedgerAnswer): void; failed(error: unknown): void };

export type ChargeQueue = { charge(charge: Charge): Promise<LedgerAnswer> };

export function openChargeQueue(options: {
  /** Makes one call to the ledger. */
  send(charges: readonly Charge[]): Promise<readonly LedgerAnswer[]>;
  callsAtOnce: number;
  chargesPerCall: number;
}): ChargeQueue {
  const { send, callsAtOnce, chargesPerCall } = options;
  /** By account, in order of arrival. */
  const waiting = new Map<string, Waiting[]>();
  const underWay = new Set<string>();
  let calls = 0;

  function pump(): void {
    while (calls < callsAtOnce) {
      const batch = take();
      if (batch.length === 0) return;
      void call(batch);
    }
  }

  function take(): Waiting[] {
    const batch: Waiting[] = [];
    for (const [account, charges] of waiting) {
      if (underWay.has(account)) continue;
      batch.push(...charges.splice(0, chargesPerCall - batch.length));
      if (charges.length === 0) waiting.delete(account);
      if (batch.length === chargesPerCall) break;
    }
    return batch;
  }

  async function call(batch: readonly Waiting[]): Promise<void> {
    const accounts = new Set(batch.map(({ charge }) => charge.accountId));
    for (const account of accounts) underWay.add(account);
    calls += 1;
    try {
      const answers = await send(batch.map(({ charge }) => charge));
      for (const [index, { done }] of batch.entries()) done(answers[index] as LedgerAnswer);
    } catch (error) {
      for (const { failed } of batch) failed(error);
      // The ledger did not answer this call; waiting charges would meet the same deadline.
      if (error instanceof Unavailable) failWaiting(error);
    } finally {
      calls -= 1;
      for (const account of accounts) underWay.delete(account);
      pump();
    }
  }

  function failWaiting(error: Unavailable): void {
    const all = [...waiting.values()].flat();
    waiting.clear();
    for (const { failed } of all) failed(error);
  }

  return {
    charge: (charge) =>
      new Promise((done, failed) => {
        const line = waiting.get(charge.accountId);
        if (line === undefined) waiting.set(charge.accountId, [{ charge, done, failed }]);
        else line.push({ charge, done, failed });
        pump();
      }),
  };
}
