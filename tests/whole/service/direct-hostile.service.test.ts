// Hostile records on the topic, on real Kafka: bytes that are no record, keys of other games, invalid contents. Each becomes a
// dead letter with its payload, listed by `sds dlq list`; its neighbours in the partition go on (docs/operations.md#topics; I20).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { heldPayload } from '../../../platform/objects/dead-letter-payloads.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { rawObservation, rawQuote, rawRecord } from '../../support/builders/raw-quotes.ts';
import { distributedEdition, distributedSkip, renameTopics } from '../../support/editions/distributed.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const cli = fileURLToPath(new URL('../../../ops/cli.ts', import.meta.url));

type Listed = { id: number; code: string; offset: number | null; topic: string; source: string | null };

describe('hostile records on Kafka', skipFor(distributedSkip), () => {
  it('are dead letters with their payload, and their neighbours are applied', async () => {
    const [kafka, registry, base] = [await services.kafka(), await services.registry(), await distributedEdition(1)];
    const prefix = `${unique('hostile')}.`;
    const client = new kafkajs.Kafka({ brokers: [...kafka.brokers], logLevel: kafkajs.logLevel.NOTHING });
    const producer = client.producer();
    const edition = await startEdition({
      ...base,
      async openBroker() {
        const own = serviceTopics(1).map((topic) => ({ ...topic, name: prefix + topic.name }));
        return renameTopics(
          openKafkaBroker({ brokers: kafka.brokers, registry: { url: registry.url }, topics: own }),
          prefix,
        );
      },
    });
    try {
      const topic = prefix + topics.quotes;
      const subject = await fetch(`${registry.url}/subjects/${topic}-value/versions/latest`);
      const { id } = (await subject.json()) as { id: number };
      const codec = openCodec(eventSchema(topics.quotes));
      const commenceTime = Date.UTC(2030, 10, 17) * 1000;
      const [answer] = await edition.drivers.catalogs.games.resolve('direct', [
        {
          by: 'event',
          league: 'NFL',
          eventId: 'e1',
          homeTeam: 'Philadelphia Eagles',
          awayTeam: 'Detroit Lions',
          commenceTime,
        },
      ]);
      assert.ok(answer?.kind === 'resolved');
      const { uuid, gameId } = answer.game;
      const frame = { game_uuid: uuid, game_id: gameId, source: 'direct' };
      let made = 0;
      const newPrice = (): string => String(101 + made++);
      const observed = (more = {}, quotes = [rawQuote({ american: newPrice() })]) =>
        rawObservation({ kind: 'delta', operators: [{ operator: 'X', quotes }], ...more });
      const good = (more: Partial<QuotesRecord> = {}, said = observed()) =>
        codec.encode(id, rawRecord(said, { ...frame, ...more }));
      const ofPartition = rawRecord(null, { game_uuid: nilUuid, game_id: gameId });
      const sound = good();
      const unknownId = Buffer.from(sound);
      unknownId.writeUInt32BE(0x7ffffff0, 1);

      const hostile: [name: string, code: string, value: Buffer | null, key?: string | null][] = [
        ['words', 'bad-record', Buffer.from('{"kind":"image"}')],
        ['nothing', 'bad-record', Buffer.alloc(0)],
        ['a tombstone', 'bad-record', null],
        ['a schema that nobody has', 'bad-record', unknownId],
        ['half a record', 'bad-record', sound.subarray(0, sound.length >> 1)],
        ['more than a record', 'bad-record', Buffer.concat([sound, Buffer.alloc(3)])],
        ['a huge length', 'bad-record', Buffer.concat([sound.subarray(0, 5), Buffer.alloc(9, 0xfe)])],
        [
          'noise',
          'bad-record',
          Buffer.concat([sound.subarray(0, 5), Buffer.from(Array.from({ length: 200 }, (_, n) => (n * 73) % 251))]),
        ],
        ['the key of another game', 'bad-key', good(), '00000000-0000-5000-8000-000000000009'],
        ['no key', 'bad-key', good(), null],
        ['a game that is no UUID', 'bad-key', good({ game_uuid: 'x' }), 'x'],
        ['the nil UUID, of no tick', 'bad-record', good({ game_uuid: nilUuid }), nilUuid],
        [
          'a tick of a partition under the key of a game',
          'bad-key',
          codec.encode(id, { ...ofPartition, tick: { at: 1 } }),
        ],
        [
          'a tick of a partition before all times',
          'bad-record',
          codec.encode(id, { ...ofPartition, tick: { at: -1 } }),
          nilUuid,
        ],
        ['an unknown kind', 'bad-event', good({}, observed({ kind: 'picture' }))],
        ['an unknown scope', 'bad-event', good({}, observed({ scope: 'world' }))],
        ['an unknown league', 'bad-record', good({ league: 'XFL' })],
        ['a source that is none', 'bad-record', good({ source: '../x' })],
        ['two contents', 'bad-record', good({ tick: { at: 1 } })],
        ['no content', 'bad-record', codec.encode(id, rawRecord(null, frame))],
        ['a time in the far future', 'future-observation', good({}, observed({ observed_at: 9_000_000_000_000_000 }))],
        ['a time before 2000', 'bad-time', good({}, observed({ observed_at: 5 }))],
        ['a time before all times', 'bad-time', good({}, observed({ observed_at: -4_000_000_000_000_000 }))],
        ['a receive time before all times', 'bad-record', good({ received_at: -5 })],
        ['a text of 64 kB', 'bad-record', good({}, observed({}, [rawQuote({ selection: 'x'.repeat(70_000) })]))],
        [
          'an operator that is none',
          'bad-operator',
          good({}, rawObservation({ operators: [{ operator: '', quotes: [] }] })),
        ],
        [
          '5,001 quotes',
          'too-large',
          good(
            {},
            observed(
              {},
              Array.from({ length: 5_001 }, () => rawQuote()),
            ),
          ),
        ],
      ];
      await producer.connect();
      const messages = [
        {
          key: uuid,
          value: codec.encode(
            id,
            rawRecord(null, { ...frame, start: { scheduled_start: commenceTime, from_schedule: false } }),
          ),
        },
        ...hostile.flatMap(([, , value, key = uuid]) => [
          { key, value, partition: 0 },
          { key: uuid, value: good(), partition: 0 },
        ]),
      ];
      await producer.send({ topic, messages: messages as kafkajs.Message[] });
      await until('everything is folded', async () => {
        const streams = await edition.drivers.catalogs.operations.streams();
        return streams.some(({ nextOffset }) => nextOffset === messages.length);
      });

      const rows = await rowsOf(edition, await manifestOf(edition, gameId));
      assert.equal(rows.length, hostile.length, 'each neighbour is a row');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [cli, 'dlq', 'list', '--json', '--limit', '1000'],
        {
          env: { ...process.env, ...base.environment },
        },
      );
      const letters = (JSON.parse(stdout) as { data: Listed[] }).data.toReversed();
      const expected = hostile.map(([name, code], at) => [name, code, 1 + 2 * at]);
      assert.deepEqual(
        letters.map(({ code, offset }) => [hostile[((offset ?? 0) - 1) / 2]?.[0], code, offset]),
        expected,
      );
      for (const [at, { id: letter }] of letters.entries()) {
        const [name, , value] = hostile[at] as (typeof hostile)[number];
        const kept = await edition.drivers.catalogs.deadLetters.one(letter);
        const { held = null, payload: inRow = new Uint8Array() } = kept ?? {};
        const stored = held === null ? inRow : await heldPayload(edition.drivers.objects, held);
        const payload = Buffer.from(stored ?? []);
        const decoded = payload.length > 0 && payload[0] === 0x7b && name !== 'words';
        if (decoded) assert.equal((JSON.parse(payload.toString()) as QuotesRecord).game_id, gameId, name);
        // A difference of a megabyte is not printed.
        else assert.ok(payload.equals(value ?? Buffer.alloc(0)), name);
      }
    } finally {
      await producer.disconnect();
      await edition.stop();
      await base.drop();
    }
  });
});
