// Claim: the schema of every topic reads what each release has written, and each release reads what this version writes: the registry would
// take it (FULL_TRANSITIVE). A change that breaks this fails here, without a registry. The releases' schemas only ever gain folders.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { incompatibilities } from '../../../platform/avro/compatible.ts';
import { eventSchema, eventTopics } from '../../../platform/avro/event-schemas.ts';
import { releasedSchemas } from '../../../platform/avro/released-schemas.ts';

type Field = { name: string; type: unknown; default?: unknown };

/** The topic's schema with other fields. */
function changed(schema: string, change: (fields: readonly Field[]) => Field[]): string {
  const record = JSON.parse(schema) as { fields: Field[] };
  return JSON.stringify({ ...record, fields: change(record.fields) });
}

describe('the schemas of the topics', () => {
  for (const topic of eventTopics) {
    it(`are compatible with those of every release (${topic})`, () => {
      const released = releasedSchemas(topic);
      assert.ok(released.length > 0, 'no release has the topic');
      for (const { release, schema } of released)
        assert.deepEqual(incompatibilities(eventSchema(topic), schema), [], `release ${release}`);
    });

    it(`would be told from an incompatible one (${topic})`, () => {
      const ours = eventSchema(topic);
      const breaking = {
        'a member without a default': (fields: readonly Field[]) => [...fields, { name: 'added', type: 'string' }],
        'a member of another name': ([first, ...rest]: readonly Field[]) => {
          return [{ name: 'renamed', type: (first as Field).type }, ...rest];
        },
        'a member of another type': ([first, ...rest]: readonly Field[]) => {
          return [{ ...(first as Field), type: 'boolean', default: false }, ...rest];
        },
      };
      for (const [what, change] of Object.entries(breaking))
        assert.notDeepEqual(incompatibilities(changed(ours, change), ours), [], what);
      const added = (fields: readonly Field[]) => [...fields, { name: 'added', type: ['null', 'int'], default: null }];
      assert.deepEqual(incompatibilities(changed(ours, added), ours), []);
    });
  }
});
