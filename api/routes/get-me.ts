// The calling key's own record. It costs no rows, and also works with an exhausted quota and while the ledger is unreachable.
import type { HistoryWindow } from '../../core/access/history-window.ts';
import type { RateLimits } from '../../core/limits/tier-limits.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Micros } from '../../core/units.ts';
import { type KeyRecord, keyRecord } from '../../schemas/http/account.ts';
import type { HistoryWindows } from '../access/history-windows.ts';
import { Unavailable } from '../dependencies/deadlines.ts';
import type { Metering } from '../metering/metering.ts';
import { route } from '../pipeline/route.ts';

type Needs = {
  metering: Pick<Metering, 'usage'>;
  rateLimits: RateLimits;
  history: Pick<HistoryWindows, 'window'>;
  clock: Clock;
};

export const getMe = route({
  path: '/v1/me',
  id: 'getMe',
  tag: 'Account',
  summary: 'The calling key: its tier, its limit and what is left of its quota.',
  details: 'Free of charge; it also works when the quota is exhausted.',
  key: 'required',
  game: 'none',
  query: {},
  answers: { 200: keyRecord },
  charge: 'free',
  cache: 'never',
  async handle({ key }, { metering, rateLimits, history, clock }: Needs) {
    const { id, tier, monthlyRows } = key;
    const usage = await metering.usage(key);
    const record: KeyRecord = {
      key_id: id,
      tier,
      rate_limit_per_minute: rateLimits[tier],
      quota: {
        monthly_rows: usage === null ? monthlyRows : usage.monthlyRows,
        used_rows: usage?.usedRows ?? 0,
        resets: usage?.resets ?? firstOfNextMonth(clock.now()),
      },
    };
    return { document: tier === 'DEMO' ? { ...record, demo_month: await demoMonth(history) } : record };
  },
});

async function demoMonth(history: Needs['history']): Promise<string | null> {
  try {
    const window: HistoryWindow = await history.window('DEMO');
    return window.kind === 'month' ? window.month : null;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}

/** By this host's clock, for display only; the ledger, whose clock decides, is unreachable here. */
function firstOfNextMonth(now: Micros): string {
  const date = new Date(now / 1000);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}
