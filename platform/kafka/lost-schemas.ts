// Whether the registry still has the schemas whose ids are in the log's records. A registry that lost its data assigns ids from 1 again:
// records would be unreadable, or be read with another schema. In that case the service registers nothing and makes no record a dead letter
// because of the registry's answers.
import avsc from 'avsc';
import { BrokerUnavailable, Halted } from '../../core/ports/broker.ts';
import type { KnownSchema } from '../../core/ports/catalog/topic-schemas.ts';
import type { SchemaLookup } from '../avro/writer-schemas.ts';

const remedy =
  'restore its data, or let SCHEMA_REGISTRY_URL lead to the registry that has it (docs/operations.md#lost-registry)';

/** Why the registry no longer has these schemas under their ids; null if it has. @throws BrokerUnavailable while it does not answer */
export async function lostSchema(lookup: SchemaLookup, known: readonly KnownSchema[]): Promise<string | null> {
  for (const { id, schema } of known) {
    let found: string | null;
    try {
      found = await lookup(id);
    } catch (cause) {
      throw new BrokerUnavailable('the schema registry cannot answer now', { cause });
    }
    if (found === null) return `the schema registry no longer has schema ${id}`;
    if (!isSame(found, schema)) return `the schema registry has another schema under the number ${id}`;
  }
  return null;
}

/** @throws Halted when the registry no longer has these schemas under their ids; BrokerUnavailable while it does not answer */
export async function assertKept(lookup: SchemaLookup, subject: string, known: readonly KnownSchema[]): Promise<void> {
  const lost = await lostSchema(lookup, known);
  if (lost !== null) throw new Halted(`${lost}, with which records of ${subject} are written`, remedy);
}

/** A lookup that waits, as for a registry that does not answer, while the registry lacks these schemas. */
export function trustedLookup(lookup: SchemaLookup, known: readonly KnownSchema[]): SchemaLookup {
  return async (id) => {
    const found = await lookup(id);
    const lost = await lostSchema(lookup, known);
    if (lost !== null) throw new BrokerUnavailable(`${lost}: ${remedy}`);
    return found;
  };
}

/** Whether the two schemas write the same bytes; registries change white space and drop members that do not affect the bytes. */
function isSame(found: string, schema: string): boolean {
  const shape = (text: string) => avsc.Type.forSchema(JSON.parse(text)).fingerprint('sha256');
  try {
    return shape(found).equals(shape(schema));
  } catch {
    return false;
  }
}
