// What the console is made from. Each part is asked for on its own: an answer, or why there is none.
import type { SeenReason } from '../../core/health/reason.ts';
import type { FeedQuotas } from '../../core/limits/feed-quotas.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type {
  AccountNearQuota,
  FeedKeyNearQuota,
  OpenDeadLetters,
  OpenLog,
  OverviewCatalog,
  ReplacedEpoch,
} from '../../core/ports/catalog/overview.ts';
import type { Micros } from '../../core/units.ts';
import type { Asked } from '../health/ask-dependency.ts';
import type { StreamFacts } from '../health/check-health.ts';

export type Stream = Awaited<ReturnType<OperationsCatalog['streams']>>[number];

/** What the process knows of the health of the service, as its own `/health` says it. */
export type KnownHealth = {
  reasons: readonly SeenReason[];
  progress: readonly StreamFacts[];
  /** The roles of the processes that look at it. */
  lookers: ReadonlySet<string>;
};

export type ConsoleFacts = {
  /** When they were read, by the clock of this process. */
  now: Micros;
  quotas: FeedQuotas;
  /** What time the database has: whether it answers. */
  catalog: Asked<Micros>;
  health: Asked<KnownHealth>;
  streams: Asked<readonly Stream[]>;
  tick: Asked<{ at: Micros; age: Micros } | null>;
  outbox: Asked<{ records: number; age: Micros }>;
  unsettled: Asked<Awaited<ReturnType<OverviewCatalog['unsettled']>>>;
  openLogs: Asked<readonly OpenLog[]>;
  deadLetters: Asked<readonly OpenDeadLetters[]>;
  epochs: Asked<readonly ReplacedEpoch[]>;
  feedKeys: Asked<readonly FeedKeyNearQuota[]>;
  accounts: Asked<readonly AccountNearQuota[]>;
};

/** Every part is away, for the same reason. */
export function noFacts(now: Micros, quotas: FeedQuotas, why: string): ConsoleFacts {
  const away = { away: why };
  return {
    ...{ now, quotas, catalog: away, health: away, streams: away, tick: away, outbox: away, unsettled: away },
    ...{ openLogs: away, deadLetters: away, epochs: away, feedKeys: away, accounts: away },
  };
}
