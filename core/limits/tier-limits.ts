// What each tier allows: the ONE table of requests, keys and history (docs/interface.md#tiers; docs/interface.md#limits;
// docs/interface.md#history-windows). Requests are those of one window (core/limits/request-window.ts). The quota of rows belongs to the
// account; the function `charge` of schemas/catalog/ enforces it (core/ports/ledger.ts).
import type { Tier } from '../ports/catalog/keys.ts';

export type TierTerms = {
  requests: number;
  /** Active keys an account may have; null: no cap, the access is shared. */
  activeKeys: number | null;
  /** Which games may be read: one month, the last so many days, or all. */
  history: 'month' | { days: number } | 'all';
};

export const tierTerms: Readonly<Record<Tier, TierTerms>> = {
  DEMO: { requests: 30, activeKeys: null, history: 'month' },
  BETA: { requests: 120, activeKeys: 3, history: { days: 30 } },
  STARTER: { requests: 300, activeKeys: 3, history: { days: 90 } },
  PRO: { requests: 1_000, activeKeys: 10, history: 'all' },
};

/** Requests of one address, on routes without a key (docs/metering.md#sliding-window). */
const requestsOfAddress = 300;

export type RateLimits = Readonly<Record<Tier | 'address', number>>;

/** The limits in force; `set` overrides some of them. */
export function rateLimits(set: Readonly<Partial<Record<Tier | 'address', number>>> = {}): RateLimits {
  const { DEMO, BETA, STARTER, PRO } = tierTerms;
  return {
    DEMO: DEMO.requests,
    BETA: BETA.requests,
    STARTER: STARTER.requests,
    PRO: PRO.requests,
    address: requestsOfAddress,
    ...set,
  };
}
