// The forwarder shares its process with projectors: no dead letter or error may end the process or stop the forwarding.
// How it works with a database and a broker is projectors/jobs/forwarder.service's.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import { BrokerUnavailable, type OutgoingRecord } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { sleep, wallClockNow } from '../../../platform/process/clock.ts';
import { forwardOnce, startForwarder } from '../../../projectors/jobs/forwarder.ts';
import type { DeadLetterRecord } from '../../../schemas/events/dead-letters.ts';
import type { PublicationRecord } from '../../../schemas/events/publications.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { contextOf } from '../../support/fakes/kept-spans.ts';
import { until } from '../../support/services/until.ts';

const letter: DeadLetterRecord = {
  id: 1,
  at: 0,
  topic: 'sds.quotes.v1',
  partition: 0,
  offset: 7,
  code: 'bad-record',
  detail: 'source is wrong or missing',
  pointer: '/source',
  source: 'x'.repeat(900_000),
  game_id: 'y'.repeat(90_000),
  receipt: null,
  push_index: null,
  payload_sha256: '',
};

const leases = { hold: async () => true, release: async () => {} };

it('cuts the texts of a hostile record to what a topic takes', async () => {
  const sent: OutgoingRecord[] = [];
  const published: number[] = [];
  const outbox = {
    publications: async () => [],
    quotes: async () => [],
    observations: async () => [],
    unpublishedDeadLetters: async () => [letter],
    markPublished: async (_publications: readonly number[], letters: readonly number[]) =>
      void published.push(...letters),
  };
  const broker = { produce: async (_topic: string, records: readonly OutgoingRecord[]) => void sent.push(...records) };
  await forwardOnce({ broker, outbox, leases });
  assert.deepEqual(published, [1]);
  assert.ok(JSON.stringify(sent).length < 10_000);
  const [{ key, value }] = sent as [OutgoingRecord];
  assert.equal((value as DeadLetterRecord).code, 'bad-record');
  assert.equal(key, (value as DeadLetterRecord).source);
});

const start = blankRecord({ uuid: 'u', gameId: 'u', league: 'NBA' }, 'msf', 4);
const publication: PublicationRecord = {
  game_uuid: 'u',
  kind: 'live',
  generation: 1,
  version: 1,
  seq: 1,
  rows: 1,
  dataset: null,
  epoch: null,
  revision: null,
};

const status = {
  ...blankObservations({ uuid: 'u', id: 'NBA_BOS_CLE_20260109', league: 'NBA' }, 'service', 4),
  status: { from: 'SCHEDULED', to: 'CANCELLED', at: 4 },
};

/** An outbox with one start, one publication, one dead letter and one manual status, until they are published. */
function filledOutbox() {
  const left = new Set([1, 2, 3, 4]);
  const kept = <Value>(id: number, value: Value) => (left.has(id) ? [value] : []);
  return {
    left,
    quotes: async () => kept(1, { id: 1, value: start, traceparent: contextOf(1) }),
    publications: async () => kept(2, { id: 2, value: publication, traceparent: contextOf(2) }),
    observations: async () => kept(4, { id: 4, value: status, traceparent: null }),
    unpublishedDeadLetters: async () => kept(3, { ...letter, id: 3 }),
    async markPublished(outgoing: readonly number[], letters: readonly number[]) {
      for (const id of [...outgoing, ...letters]) left.delete(id);
    },
  };
}

it('publishes nothing twice to a topic because another refuses, and continues with the others', async () => {
  const outbox = filledOutbox();
  const sent: string[] = [];
  const broker = {
    async produce(topic: string) {
      if (topic === topics.publications) throw new BrokerUnavailable('no leader');
      sent.push(topic);
    },
  };
  for (let round = 0; round < 3; round += 1)
    await assert.rejects(forwardOnce({ broker, outbox, leases }), BrokerUnavailable);
  assert.deepEqual(sent, [topics.quotes, topics.observations, topics.deadLetters]);
  assert.deepEqual([...outbox.left], [2]);
});

it('tells each under the key of its game, with the source where the topic has it, and its trace where it has one', async () => {
  const sent: (readonly [topic: string, key: string, headers: OutgoingRecord['headers'], value: unknown])[] = [];
  const broker = {
    async produce(topic: string, records: readonly OutgoingRecord[]) {
      for (const { key, value, headers } of records) sent.push([topic, key, headers, value]);
    },
  };
  await forwardOnce({ broker, outbox: filledOutbox(), leases });
  assert.deepEqual(sent.slice(0, 3), [
    [topics.quotes, 'u', { source: 'msf', traceparent: contextOf(1) }, { ...start, outbox_id: 1 }],
    [topics.observations, 'u', { source: 'service' }, status],
    [topics.publications, 'u', { traceparent: contextOf(2) }, publication],
  ]);
});

it('appends nothing more once another holds the lease', async () => {
  const outbox = filledOutbox();
  const sent: string[] = [];
  const lost = { ...leases, hold: async () => sent.length === 0 };
  const broker = { produce: async (topic: string) => void sent.push(topic) };
  assert.equal(await forwardOnce({ broker, outbox, leases: lost }), 1);
  assert.deepEqual(sent, [topics.quotes]);
});

it('goes on after an error that no waiting mends', async () => {
  let attempts = 0;
  const errors: string[] = [];
  const outbox = {
    publications: async () => {
      attempts += 1;
      throw new RangeError('a defect');
    },
    quotes: async () => [],
    observations: async () => [],
    unpublishedDeadLetters: async () => [],
    markPublished: async () => {},
  };
  const log = { ...silentLog, error: (message: string) => void errors.push(message) };
  const clock = { now: wallClockNow, sleep: (_ms: number, signal?: AbortSignal) => sleep(1, signal) };
  const stop = startForwarder({ broker: { produce: async () => {} }, outbox, leases, clock, log });
  await until('it has tried again', () => attempts > 2);
  await stop();
  assert.ok(errors.length > 2);
});
