// The schemas of the topics in earlier releases, from schemas/events/released: this code must be able to read the records of all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { type EventTopic, eventFile } from './event-schemas.ts';

const folder = new URL('../../schemas/events/released/', import.meta.url);

/** The schemas with which earlier releases wrote the topic's values, by release; without releases that lacked the topic. */
export function releasedSchemas(topic: EventTopic): { release: string; schema: string }[] {
  const file = eventFile(topic);
  return readdirSync(folder)
    .sort()
    .filter((release) => readdirSync(new URL(`${release}/`, folder)).includes(file))
    .map((release) => ({ release, schema: readFileSync(new URL(`${release}/${file}`, folder), 'utf8') }));
}
