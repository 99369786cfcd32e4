// The catalog as the forwarder knows it: what commits left to be told on the topics, in order. Telling is at least once.
import type { DeadLetterRecord } from '../../../schemas/events/dead-letters.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { PublicationRecord } from '../../../schemas/events/publications.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';

export interface OutboxCatalog {
  /** Oldest publications that are not told yet. */
  publications(limit: number): Promise<readonly { id: number; value: PublicationRecord }[]>;
  /** Oldest starts and statuses of games that the folds of their quotes do not have yet, in the order of the commits. */
  quotes(limit: number): Promise<readonly { id: number; value: QuotesRecord }[]>;
  /** Oldest statuses by hand that the folds of MSF's observations do not have yet, in the order in which they were given. */
  observations(limit: number): Promise<readonly { id: number; value: ObservationsRecord }[]>;
  /** Oldest dead letters that are not told yet. */
  untoldDeadLetters(limit: number): Promise<readonly DeadLetterRecord[]>;
  /** These are on their topics: publications, quotes and observations by one kind of id, dead letters by their own. */
  told(outgoing: readonly number[], deadLetters: readonly number[]): Promise<void>;
}
