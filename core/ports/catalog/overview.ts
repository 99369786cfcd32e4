// Facts about the whole service for the administrator's console. Each answer is bounded: by its `limit`, or by what an index finds. What a
// fact means for the administrator is the console's to judge.
import type { FeedQuotas, QuotaName } from '../../limits/feed-quotas.ts';
import type { Micros } from '../../units.ts';
import type { PublishedOperator } from './live.ts';

/** The live log of a game in which something can be bet on. */
export type OpenLog = {
  gameId: string;
  start: Micros;
  operators: Readonly<Record<string, PublishedOperator>>;
};

/** Open dead letters of one source (null: without a name) and code. `lately`: those since the given time. */
export type OpenDeadLetters = {
  source: string | null;
  code: string;
  letters: number;
  lately: number;
  newest: Micros;
};

/** A stream whose epoch was replaced; `epoch` is the present one. */
export type ReplacedEpoch = { scope: string; dataset: string; replacedAt: Micros; epoch: string };

export type FeedKeyNearQuota = { id: string; sources: readonly string[]; quota: QuotaName; used: number };
export type AccountNearQuota = { id: string; name: string; used: number; most: number };

export interface OverviewCatalog {
  /** The logs of games in play, then of those whose start is nearest. */
  openLogs(limit: number): Promise<readonly OpenLog[]>;
  /** Those among the newest `among` dead letters that are open, by source and code, the newest first. */
  openDeadLetters(among: number, since: Micros, limit: number): Promise<readonly OpenDeadLetters[]>;
  /** Epochs that were replaced since then, the newest first. */
  replacedEpochs(since: Micros, limit: number): Promise<readonly ReplacedEpoch[]>;
  /** Active feed keys that have used this share of a quota on this UTC day, the largest share first. */
  feedKeysNear(quotas: FeedQuotas, share: number, limit: number): Promise<readonly FeedKeyNearQuota[]>;
  /** Accounts that have used this share of their rows of this month, the largest share first. */
  accountsNear(share: number, limit: number): Promise<readonly AccountNearQuota[]>;
  /**
   * Closed games without final files; `since`: when the first of them was closed, null: none waits. `again`: games whose files wait to be
   * built again.
   */
  unsettled(): Promise<{ games: number; since: Micros | null; again: number }>;
}
