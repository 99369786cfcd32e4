// What a driver of the log has to know of a topic. The schema is ours; how many partitions there are is the log's own answer once the
// topic exists: a key must never move.
import { eventSchema, eventTopics } from '../avro/event-schemas.ts';

export type TopicSettings = {
  name: string;
  /** Partitions to create the topic with. A topic that exists keeps what it has. */
  partitions: number;
  /** The Avro schema of its values, as JSON. */
  schema: string;
  /** Only the newest record of a key matters. */
  compacted?: boolean;
  /** Settings by the names of the log's own tool; the embedded log has none. */
  config?: Readonly<Record<string, string>>;
};

/** The service's own topics (operations.md, "Kafka topics"). */
export function serviceTopics(partitions: number): readonly TopicSettings[] {
  return eventTopics.map((name) => ({
    name,
    partitions,
    schema: eventSchema(name),
    compacted: name === 'sds.games.v1',
  }));
}
