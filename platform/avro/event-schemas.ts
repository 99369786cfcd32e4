// The schema of each topic's values, from the .avsc files of schemas/events. Read on demand: no import touches the disk.
import { readFileSync } from 'node:fs';
import { topics } from '../../schemas/events/topics.ts';

const files = {
  [topics.quotes]: 'quotes.avsc',
  [topics.observations]: 'observations.avsc',
  [topics.games]: 'games.avsc',
  [topics.deadLetters]: 'dead-letters.avsc',
  [topics.publications]: 'publications.avsc',
} as const;

/** A topic whose values have an Avro schema. */
export type EventTopic = keyof typeof files;

/** The topics whose values have an Avro schema. */
export const eventTopics = Object.keys(files) as readonly EventTopic[];

/** The name of the file with the topic's schema. */
export function eventFile(topic: EventTopic): string {
  return files[topic];
}

/** The schema of the topic's values, as JSON text. */
export function eventSchema(topic: EventTopic): string {
  return readFileSync(new URL(`../../schemas/events/${eventFile(topic)}`, import.meta.url), 'utf8');
}
