// What a driver of the log has to know of a topic. The schema is ours; how many partitions there are is the log's own answer once the
// topic exists: a key must never move.
import { mostInlineBytes } from '../../core/msf/bodies/held-element.ts';
import { retention, topics } from '../../schemas/events/topics.ts';
import { eventSchema, eventTopics } from '../avro/event-schemas.ts';

export type TopicSettings = {
  name: string;
  /** Partitions to create the topic with. A topic that exists keeps what it has. */
  partitions: number;
  /** The Avro schema of its values, as JSON. */
  schema: string;
  /** Bytes of the longest string in a value, where it is not the usual. */
  longestString?: number;
  /** Only the newest record of a key matters. */
  compacted?: boolean;
  /** After so many days the log may forget a record by itself; absent: never. */
  keptDays?: number;
  /** Settings by the names of the log's own tool; the embedded log has none. */
  config?: Readonly<Record<string, string>>;
};

/**
 * Largest value, key and headers of one record, and of what goes to a partition in one request. The largest observation that a source
 * may send stays below it: an element of 900,000 bytes (docs/quotes.md) whose texts go over as they are, and for each of its 5,000 quotes
 * at most 86 bytes that it did not write itself (a market's name and period, given once for many outcomes, and the stamp). What MSF
 * says of a scope is an element's text of at most 900,000 bytes.
 */
export const maxRecordBytes = 1_400_000;

/** Largest batch that a topic takes: above the largest record and its frame. */
export const maxBatchBytes = 1_572_864;

/**
 * The service's own topics (docs/operations.md#topics). What logs are rebuilt from no age can tell to be dispensable: a game may have
 * been listed for months.
 */
export function serviceTopics(partitions: number): readonly TopicSettings[] {
  return eventTopics.map((name) => {
    const kept = retention[name];
    return {
      name,
      partitions,
      schema: eventSchema(name),
      ...(name === topics.observations ? { longestString: mostInlineBytes } : {}),
      compacted: name === topics.games,
      ...(kept === undefined || kept.rebuilt ? {} : { keptDays: kept.days }),
    };
  });
}
