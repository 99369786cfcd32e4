// Requests that no key answers for: refused ones, unknown routes, pages of problems. They are limited by address, and limit nothing else: what a
// key may send is its own share, wherever it comes from, and a probe of the health is always answered.
import { WindowTable } from '../../core/access/window-table.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { comeBackAfter, type GatewayRefusal } from './gateway-refusal.ts';

/** Of one address, in a minute. */
export const usualStrangerLimit = 600;

type Strangers = {
  /** Counts a request; the refusal where the address has sent too many. */
  count(address: string): GatewayRefusal | null;
};

export function openStrangers(limit: number, clock: Clock): Strangers {
  const windows = new WindowTable();
  return {
    count(address) {
      const { admitted, resetMs } = windows.admit(address, limit, (clock.elapsed?.() ?? clock.now()) / 1_000);
      if (admitted) return null;
      return comeBackAfter(
        resetMs / 1_000,
        'rate-limited',
        `An address may send ${limit} requests a minute that no feed key answers for; send those of a key with the key.`,
      );
    },
  };
}

/** What is refused of a request whether or not a key came with it. */
export function isOfStranger({ refused }: GatewayRefusal): boolean {
  return ['invalid-key', 'key-disabled', 'not-found', 'method-not-allowed'].includes(refused);
}
