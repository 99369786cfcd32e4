// Compares the topics' schemas with the registry's: whether ours is registered, may be added, or is refused; and registers them.
import type { TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import type { RegistryLink } from '../config/link-settings.ts';
import { askRegistry } from './ask-registry.ts';
import { lostSchema } from './lost-schemas.ts';
import { registerSchema } from './register-schema.ts';
import { openRegistry } from './registry.ts';

/**
 * `missing`: the registry has no schema of the subject; `new`: ours can be added to its schemas; `lost`: the registry has lost its data.
 */
export type SchemaState = 'registered' | 'new' | 'missing' | 'incompatible' | 'lost';

export type ComparedSchema = {
  topic: string;
  subject: string;
  state: SchemaState;
  /** The id of our schema; null unless it is registered. */
  id: number | null;
  why: string[];
  /** The schemas that the service has registered, by id. */
  known: readonly { id: number; schema: string }[];
};

/** Registers the schemas as a start does, but creates no topics. @throws as registerSchema */
export async function registerSchemas(
  link: RegistryLink,
  memory: TopicSchemasCatalog,
  topics: readonly { name: string; schema: string }[],
): Promise<void> {
  const registry = openRegistry(link, 'sds-command');
  for (const topic of topics) await registerSchema(registry, memory, topic);
}

/** Compares without registering anything. @throws BrokerUnavailable while the registry does not answer */
export async function compareSchemas(
  link: RegistryLink,
  memory: TopicSchemasCatalog,
  topics: readonly { name: string; schema: string }[],
): Promise<ComparedSchema[]> {
  const { lookup } = openRegistry(link, 'sds-command');
  const compared: ComparedSchema[] = [];
  for (const { name: topic, schema } of topics) {
    const subject = `${topic}-value`;
    const known = await memory.ofSubject(subject);
    const lost = await lostSchema(lookup, known);
    const found =
      lost === null ? await stateOf(link, subject, schema) : { state: 'lost' as const, id: null, why: [lost] };
    compared.push({ topic, subject, ...found, known });
  }
  return compared;
}

async function stateOf(
  link: RegistryLink,
  subject: string,
  schema: string,
): Promise<Pick<ComparedSchema, 'state' | 'id' | 'why'>> {
  const path = `/subjects/${encodeURIComponent(subject)}`;
  const own = await askRegistry(link, path, { schema });
  if (own.status === 200) return { state: 'registered', id: numberOf(own.body, 'id'), why: [] };
  const versions = await askRegistry(link, `${path}/versions`);
  if (versions.status === 404) return { state: 'missing', id: null, why: [] };
  const numbers = Array.isArray(versions.body) ? versions.body.filter((each) => typeof each === 'number') : [];
  const why: string[] = [];
  for (const version of numbers) {
    const asked = `/compatibility${path}/versions/${version}?verbose=true`;
    const { status, body } = await askRegistry(link, asked, { schema });
    if (status === 200 && memberOf(body, 'is_compatible') === true) continue;
    const messages = memberOf(body, 'messages');
    const reason =
      Array.isArray(messages) && messages.length > 0 ? messages.map(String).join('; ') : `status ${status}`;
    why.push(`version ${version}: ${reason}`);
  }
  return { state: why.length === 0 ? 'new' : 'incompatible', id: null, why };
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

function numberOf(body: unknown, name: string): number | null {
  const value = memberOf(body, name);
  return typeof value === 'number' ? value : null;
}
