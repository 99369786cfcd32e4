// What the forwarder owes to the projectors beside it: a letter or an error of any kind never ends their process, nor stops the forwarding.
// How it works with a database and a broker is forwarder.service's.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OutgoingRecord } from '../core/ports/broker.ts';
import { silentLog } from '../core/ports/telemetry.ts';
import { sleep, wallClockNow } from '../platform/process/clock.ts';
import { forwardOnce, startForwarder } from '../projectors/forwarder.ts';
import type { DeadLetterRecord } from '../schemas/events/dead-letters.ts';
import { until } from './support/services/until.ts';

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

it('cuts the texts of a hostile record to what a topic takes', async () => {
  const sent: OutgoingRecord[] = [];
  const told: number[] = [];
  const outbox = {
    holdForwarder: async () => true,
    publications: async () => [],
    quotes: async () => [],
    untoldDeadLetters: async () => [letter],
    told: async (_publications: readonly number[], letters: readonly number[]) => void told.push(...letters),
  };
  const broker = { produce: async (_topic: string, records: readonly OutgoingRecord[]) => void sent.push(...records) };
  await forwardOnce({ broker, outbox });
  assert.deepEqual(told, [1]);
  assert.ok(JSON.stringify(sent).length < 10_000);
  const [{ key, value }] = sent as [OutgoingRecord];
  assert.equal((value as DeadLetterRecord).code, 'bad-record');
  assert.equal(key, (value as DeadLetterRecord).source);
});

it('goes on after an error that no waiting mends', { timeout: 10_000 }, async () => {
  let attempts = 0;
  const errors: string[] = [];
  const outbox = {
    holdForwarder: async () => true,
    publications: async () => {
      attempts += 1;
      throw new RangeError('a defect');
    },
    quotes: async () => [],
    untoldDeadLetters: async () => [],
    told: async () => {},
  };
  const log = { ...silentLog, error: (message: string) => void errors.push(message) };
  const clock = { now: wallClockNow, sleep: (_ms: number, signal?: AbortSignal) => sleep(1, signal) };
  const stop = startForwarder({ broker: { produce: async () => {} }, outbox, clock, log });
  await until('it has tried again', () => attempts > 2, { timeoutMs: 5_000 });
  await stop();
  assert.ok(errors.length > 2);
});
