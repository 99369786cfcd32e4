// What a driver of the log needs to know about a topic. The schema is ours; once the topic exists, the log decides the number of
// partitions, because a key must never move.
import { mostInlineBytes } from '../../core/msf/bodies/held-element.ts';
import { retention, topics } from '../../schemas/events/topics.ts';
import { eventSchema, eventTopics } from '../avro/event-schemas.ts';

export type TopicSettings = {
  name: string;
  /** Partitions of a new topic. An existing topic keeps its number. */
  partitions: number;
  /** The Avro schema of its values, as JSON. */
  schema: string;
  /** Bytes of the longest string in a value, if not the default. */
  longestString?: number;
  /** The log keeps only the newest record of each key. */
  compacted?: boolean;
  /** The log may delete records older than this; absent: never. */
  keptDays?: number;
  /** Settings by Kafka's names; the embedded log has none. */
  config?: Readonly<Record<string, string>>;
};

/**
 * Largest record (value, key and headers), and most bytes per partition in one request. The largest observation from a source is below it:
 * an element of 900,000 bytes (docs/quotes.md) whose texts are copied as they are, plus at most 86 bytes for each of its 5,000 quotes that
 * the element does not repeat (a market's name and period, given once for many outcomes, and the time). An MSF observation of a scope is
 * the text of an element of at most 900,000 bytes.
 */
export const maxRecordBytes = 1_400_000;

/** Largest batch that a topic accepts: above the largest record and its frame. */
export const maxBatchBytes = 1_572_864;

/**
 * The service's own topics (docs/operations.md#topics). Topics from which logs are rebuilt have no age limit: a game may have been listed
 * for months.
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
