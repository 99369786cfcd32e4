// The outbox, for the forwarder: what commits left to publish on topics, in order. Publishing is at least once.
import type { DeadLetterRecord } from '../../../schemas/events/dead-letters.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { PublicationRecord } from '../../../schemas/events/publications.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';

/** A record that waits, and the trace that it continues; null: it is not traced. */
export type OutboxEntry<Value> = { id: number; value: Value; traceparent: string | null };

export interface OutboxCatalog {
  /** The oldest unpublished publications. */
  publications(limit: number): Promise<readonly OutboxEntry<PublicationRecord>[]>;
  /** The oldest unpublished starts and statuses of games, for the folds of quotes, in commit order. */
  quotes(limit: number): Promise<readonly OutboxEntry<QuotesRecord>[]>;
  /** The oldest unpublished manual statuses, for the folds of MSF observations, in the order in which they were given. */
  observations(limit: number): Promise<readonly OutboxEntry<ObservationsRecord>[]>;
  /** The oldest unpublished dead letters. */
  unpublishedDeadLetters(limit: number): Promise<readonly DeadLetterRecord[]>;
  /** Marks these as published: publications, quotes and observations share one kind of id, dead letters have their own. */
  markPublished(outgoing: readonly number[], deadLetters: readonly number[]): Promise<void>;
}
