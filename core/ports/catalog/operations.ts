// Facts for the administrator: lag, counts, the audit trail.
import type { Micros } from '../../units.ts';

/** `to_settle`: closed games whose final files were never built, or are older than the newest orders. */
export type GameCounts = { games: number; minted: number; live: number; to_settle: number };

/** Who did what to which subject. */
export type AuditRow = {
  id: number;
  at: Micros;
  actor: string;
  action: string;
  subject: string;
  detail: Readonly<Record<string, unknown>>;
};

/**
 * `action`: an action, or its first word to match all actions that begin with it. `from` and `to`: from this time on, and before this time.
 * Null: any.
 */
export type AuditQuery = {
  before: number | null;
  limit: number;
  action: string | null;
  subject: string | null;
  actor: string | null;
  from: Micros | null;
  to: Micros | null;
};

export interface OperationsCatalog {
  streams(): Promise<
    readonly {
      projector: string;
      topic: string;
      partition: number;
      ownerEpoch: number;
      ownerId: string;
      nextOffset: number;
      updatedAt: Micros;
      /** Why its owner cannot continue without human help; null: not halted. */
      halted: string | null;
    }[]
  >;
  /** When the ticker last did its work, and how long ago that is, by the database's clock; null: never. */
  newestTick(): Promise<{ at: Micros; age: Micros } | null>;
  /** How many records wait to be published to the topics, counted to 100,000, and the age of the oldest. */
  outbox(): Promise<{ records: number; age: Micros }>;
  gameCounts(): Promise<GameCounts>;
  /** Ids of games with a log that started more than two days ago and have not closed, the first start first: at most `limit`. */
  overdue(limit: number): Promise<readonly string[]>;
  /** The codes of the sportsbooks in any live log. */
  sportsbooks(): Promise<readonly string[]>;
  /** The source that the newest command made the owner of a sportsbook in a game, by the audit trail; null if there is none. */
  assignedOwner(gameId: string, operator: string): Promise<string | null>;
  audit(actor: string, action: string, subject: string, detail: Readonly<Record<string, unknown>>): Promise<void>;
  /** Rows of the audit trail with ids below `before`, newest first. */
  audited(query: AuditQuery): Promise<readonly AuditRow[]>;
}
