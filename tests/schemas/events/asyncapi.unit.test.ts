// The AsyncAPI document of the topics: valid by AsyncAPI's own schema, and the same as what the service does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, it } from 'vitest';
import { eventSchema, eventTopics } from '../../../platform/avro/event-schemas.ts';
import { maxBatchBytes, serviceTopics } from '../../../platform/broker/topic-settings.ts';
import document from '../../../schemas/events/asyncapi.json' with { type: 'json' };
import { topics } from '../../../schemas/events/topics.ts';

const require = createRequire(import.meta.url);
const documentFile = new URL('../../../schemas/events/asyncapi.json', import.meta.url);
const msPerDay = 86_400_000;
const channels = Object.entries(document.channels);

/** The part of the document that one of its references names. */
function resolved(reference: string): Record<string, unknown> {
  const names = reference.replace(/^#\//, '').split('/');
  return names.reduce<Record<string, unknown>>((part, name) => part[name] as Record<string, unknown>, document);
}

const messageOf = (channel: string) => {
  const message = Object.values(resolved(`#/channels/${channel}/messages`))[0] as { $ref: string };
  return resolved(message.$ref) as { name: string; payload: { schema: { $ref: string } } };
};

describe('the AsyncAPI document of the topics', () => {
  it('is valid', () => {
    const schema: object = require('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
  });

  it('has the topics of the service, with the settings that they are made with', () => {
    assert.deepEqual(channels.map(([, { address }]) => address).sort(), [...eventTopics].sort());
    for (const { name, compacted, keptDays } of serviceTopics(1)) {
      const [, channel] = channels.find(([, { address }]) => address === name) ?? [];
      assert.deepEqual(channel?.bindings.kafka, {
        topic: name,
        topicConfiguration: {
          'cleanup.policy': [compacted === true ? 'compact' : 'delete'],
          'retention.ms': keptDays === undefined ? -1 : keptDays * msPerDay,
          'max.message.bytes': maxBatchBytes,
        },
        bindingVersion: '0.5.0',
      });
    }
  });

  for (const topic of eventTopics) {
    it(`refers to the schema of ${topic}, and names its record`, () => {
      const [channel = ''] = channels.find(([, { address }]) => address === topic) ?? [];
      const { name, payload } = messageOf(channel);
      const file = readFileSync(new URL(payload.schema.$ref, documentFile), 'utf8');
      assert.equal(file, eventSchema(topic));
      assert.equal(name, (JSON.parse(file) as { name: string }).name);
    });
  }

  it('lets the service send to every topic, and receive what the projectors fold', () => {
    const of = (action: string) =>
      Object.values(document.operations)
        .filter((operation) => operation.action === action)
        .map(({ channel }) => (resolved(channel.$ref) as { address: string }).address);
    assert.deepEqual(of('send').sort(), [...eventTopics].sort());
    assert.deepEqual(of('receive').sort(), [topics.quotes, topics.observations, topics.games].sort());
  });
});
