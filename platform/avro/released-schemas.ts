// The schemas of the topics as releases have written them, from schemas/events/released: what a record of any of them says must stay readable.
import { readdirSync, readFileSync } from 'node:fs';
import { type EventTopic, eventFile } from './event-schemas.ts';

const folder = new URL('../../schemas/events/released/', import.meta.url);

/** The schemas that releases before this one wrote the topic's values with, by release. Those without the topic are left out. */
export function releasedSchemas(topic: EventTopic): { release: string; schema: string }[] {
  const file = eventFile(topic);
  return readdirSync(folder)
    .sort()
    .filter((release) => readdirSync(new URL(`${release}/`, folder)).includes(file))
    .map((release) => ({ release, schema: readFileSync(new URL(`${release}/${file}`, folder), 'utf8') }));
}
