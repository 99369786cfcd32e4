// Whether the registry is still the one whose schema ids the log's records carry. A registry that lost its data assigns the ids again from 1:
// records would be unreadable, or be read under another schema. In that case we register nothing and reject no record because of its answers.
import avsc from 'avsc';
import { BrokerUnavailable, Halted } from '../../core/ports/broker.ts';
import type { KnownSchema } from '../../core/ports/catalog/topic-schemas.ts';
import type { SchemaLookup } from '../avro/writer-schemas.ts';

const remedy =
  'restore its data, or let SCHEMA_REGISTRY_URL lead to the registry that has it (docs/operations.md#lost-registry)';

/** Why the registry is not the one that gave these numbers; null if it is. @throws BrokerUnavailable while it does not answer */
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

/** @throws Halted where the registry is not the one that gave these numbers; BrokerUnavailable while it does not answer */
export async function assertKept(lookup: SchemaLookup, subject: string, known: readonly KnownSchema[]): Promise<void> {
  const lost = await lostSchema(lookup, known);
  if (lost !== null) throw new Halted(`${lost}, with which records of ${subject} are written`, remedy);
}

/** A lookup that answers only while the registry is the one that gave these numbers; it waits like one that does not answer. */
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
