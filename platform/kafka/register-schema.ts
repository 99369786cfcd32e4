// Registers the schema of a topic and remembers its number, if the registry is the one that gave the numbers that are remembered.
import type { KnownSchema, TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import { assertKept } from './kept-schemas.ts';
import type { Registry } from './registry.ts';

/**
 * All schemas of the topic that are remembered, this one last. `memory` null: none beyond this process. @throws Halted where the registry has
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
