// Which failures of a server a reader of the drill may meet: no answer at all, a 503 that says what it is, and a 500 for a
// file while the store gives other bytes than were put. Any other is a violation.
import type { Failure } from '../campaigns/msf-follower.ts';
import type { FaultyStore } from './faulty-store.ts';

/** How long an API may still answer with what it read before the store gave the right bytes again. */
const damageIsOverMs = 10_000;

export function allowedOutage({ damagedAt }: Pick<FaultyStore, 'damagedAt'>): (failure: Failure) => boolean {
  const isDamaged = (): boolean => {
    const at = damagedAt();
    return at !== null && performance.now() - at < damageIsOverMs;
  };
  return ({ of, status, text }) =>
    status === null ||
    (status === 503 && text.includes('/temporarily-unavailable')) ||
    (of === 'file' && status === 500 && isDamaged());
}
