// Limits requests without a valid key per address: refused ones, unknown routes, pages of problems. Nothing else is limited by address: a
// key has its own share, wherever it sends from, and health probes are always answered.
import { WindowTable } from '../../core/limits/window-table.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { comeBackAfter, type GatewayRefusal } from './gateway-refusal.ts';

/** Requests of one address in a window. */
export const usualStrangerLimit = 600;

type Strangers = {
  /** Counts a request; a refusal if the address has sent too many. */
  count(address: string): GatewayRefusal | null;
};

export function openStrangers(limit: number, clock: Clock): Strangers {
  const windows = new WindowTable();
  return {
    count(address) {
      const { admitted, resetMs, window } = windows.admit(address, limit, (clock.elapsed?.() ?? clock.now()) / 1_000);
      if (admitted) return null;
      return comeBackAfter(
        resetMs / 1_000,
        'rate-limited',
        `An address may send ${limit} requests ${window.inWords} that no feed key answers for; send those of a key with the key.`,
      );
    },
  };
}

/** Whether the refusal does not depend on a key. */
export function isOfStranger({ refused }: GatewayRefusal): boolean {
  return ['invalid-key', 'key-disabled', 'not-found', 'method-not-allowed'].includes(refused);
}
