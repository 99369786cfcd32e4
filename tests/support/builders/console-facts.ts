// Facts of the console for a healthy service, with what a test changes.
import type { SeenReason } from '../../../core/health/reason.ts';
import { defaultFeedQuotas } from '../../../core/limits/feed-quotas.ts';
import type { ConsoleFacts, Stream } from '../../../ops/console/console-facts.ts';

export const second = 1_000_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const now = Date.UTC(2026, 7, 5, 20) * 1_000;

export const partition = (change: Partial<Stream> = {}): Stream => ({
  ...{ projector: 'live', topic: 'sds.quotes.v1', partition: 0, ownerEpoch: 4, ownerId: '17-ab', nextOffset: 1_200 },
  ...{ updatedAt: now - second, halted: null },
  ...change,
});

/** A game in play. `observedAgo`: for each sportsbook, how long ago it was last observed. */
export const openLog = (gameId: string, observedAgo: Readonly<Record<string, number | null>>) => ({
  gameId,
  start: now - hour,
  operators: Object.fromEntries(
    Object.entries(observedAgo).map(([operator, ago]) => [
      operator,
      { last_row_at: now - hour, observed_through: ago === null ? null : now - ago, source: 'feed' },
    ]),
  ),
});

export const reason = (name: string, since = now - 3 * minute): SeenReason => ({
  ...{ name, since, detail: `what ${name} says`, seenBy: ['ingest', 'projectors'] },
});

/**
 * A health report with these reasons. `behind`: by name, the records a partition has not committed. `lookers`: the
 * roles that report.
 */
export const healthOf = (
  reasons: readonly SeenReason[],
  behind: Readonly<Record<string, number | null>> = {},
  lookers: readonly string[] = ['ticker', 'ingest', 'projectors'],
) => ({
  answer: {
    reasons,
    lookers: new Set(lookers),
    progress: Object.entries(behind).map(([name, records]) => {
      const [projector = '', number] = name.split('/');
      return { projector, partition: Number(number), ownerEpoch: 1, isHalted: false, behind: records, still: 0 };
    }),
  },
});

export function consoleFacts(change: Partial<ConsoleFacts> = {}): ConsoleFacts {
  return {
    now,
    quotas: defaultFeedQuotas,
    catalog: { answer: now },
    health: healthOf([], { 'live/0': 3, 'live/1': 4, 'reference/0': 0 }),
    streams: { answer: [partition(), partition({ partition: 1 }), partition({ projector: 'reference' })] },
    tick: { answer: { at: now - second, age: second } },
    outbox: { answer: { records: 2, age: second } },
    unsettled: { answer: { games: 0, since: null, again: 0 } },
    openLogs: { answer: [openLog('MLB_BOS_NYY_20260805', { A: 2 * second, B: 3 * second })] },
    deadLetters: { answer: [] },
    epochs: { answer: [] },
    feedKeys: { answer: [] },
    accounts: { answer: [] },
    ...change,
  };
}
