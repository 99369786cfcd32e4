// Reads the console's facts: what this process knows of the health, and of the rest a query each, bounded in rows and time. What does not
// answer is away; the others answer all the same.
import type { FeedQuotas } from '../../core/limits/feed-quotas.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { OverviewCatalog } from '../../core/ports/catalog/overview.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Millis, microsPerHour } from '../../core/units.ts';
import { openDependencyQuestion } from '../health/ask-dependency.ts';
import type { WatchedHealth } from '../health/watch-health.ts';
import type { ConsoleFacts } from './console-facts.ts';
import { lately, lettersLookedAt, nearShare } from './judge-parts.ts';

export type FactsTools = {
  overview: OverviewCatalog;
  operations: Pick<OperationsCatalog, 'streams' | 'newestTick' | 'outbox'>;
  live: Pick<LiveCatalog, 'now'>;
  health: Pick<WatchedHealth, 'reasons' | 'facts' | 'lookers'>;
  quotas: FeedQuotas;
  clock: Clock;
};

/** A question that waits for others to get a connection is given time for three statements. */
export const statementMs: Millis = 1_000;
const patienceMs: Millis = 3_000;

const mostLogs = 200;
const mostListed = 50;
const epochsFor = 24 * microsPerHour;

export function openFacts({ overview, operations, live, health, quotas, clock }: FactsTools) {
  const ask = <Answer>(question: () => Promise<Answer>) => openDependencyQuestion(question, clock, patienceMs);
  const asks = {
    catalog: ask(() => live.now()),
    health: ask(async () => knownHealth(health)),
    streams: ask(() => operations.streams()),
    tick: ask(() => operations.newestTick()),
    outbox: ask(() => operations.outbox()),
    unsettled: ask(() => overview.unsettled()),
    openLogs: ask(() => overview.openLogs(mostLogs)),
    deadLetters: ask(() => overview.openDeadLetters(lettersLookedAt, clock.now() - lately, mostListed)),
    epochs: ask(() => overview.replacedEpochs(clock.now() - epochsFor, mostListed)),
    feedKeys: ask(() => overview.feedKeysNear(quotas, nearShare, mostListed)),
    accounts: ask(() => overview.accountsNear(nearShare, mostListed)),
  };

  return async (): Promise<ConsoleFacts> => {
    const now = clock.now();
    const [catalog, known, streams, tick, outbox, unsettled, openLogs, deadLetters, epochs, feedKeys, accounts] =
      await Promise.all([
        asks.catalog(),
        asks.health(),
        asks.streams(),
        asks.tick(),
        asks.outbox(),
        asks.unsettled(),
        asks.openLogs(),
        asks.deadLetters(),
        asks.epochs(),
        asks.feedKeys(),
        asks.accounts(),
      ]);
    return {
      ...{ now, quotas, catalog, health: known, streams, tick, outbox, unsettled },
      ...{ openLogs, deadLetters, epochs, feedKeys, accounts },
    };
  };
}

function knownHealth({ reasons, facts, lookers }: FactsTools['health']) {
  const [found, seen] = [reasons(), facts()];
  if (seen === null && found.length === 0) throw new NotLooked('this process has not looked at the health yet');
  return { reasons: found, progress: seen?.streams ?? [], lookers: lookers() };
}

class NotLooked extends Error {
  override name = 'NotLooked';
}
