// Registers the schema of a topic and remembers its id, if the registry still has the schemas that are remembered.
import type { KnownSchema, TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import { assertKept } from './lost-schemas.ts';
import type { Registry } from './registry.ts';

/**
 * All remembered schemas of the topic, this one last. `memory` null: remembered only in this process. @throws Halted when the registry has
 * lost one of them; BrokerUnavailable while it does not answer
 */
export async function registerSchema(
  registry: Pick<Registry, 'lookup' | 'register'>,
  memory: TopicSchemasCatalog | null,
  { name, schema }: { name: string; schema: string },
): Promise<readonly KnownSchema[]> {
  const subject = `${name}-value`;
  const known = (await memory?.ofSubject(subject)) ?? [];
  await assertKept(registry.lookup, subject, known);
  const ours = { id: await registry.register(subject, schema), schema };
  await memory?.note(subject, ours);
  return [...known.filter(({ id }) => id !== ours.id), ours];
}
