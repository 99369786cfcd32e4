// A refused record goes into its log again as what it was, at its own time and in its own push; what is none stays where it is.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { loggedRecord } from '../../../ops/dead-letters/logged-record.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { image, quote, t0, uuid } from '../../support/builders/live-records.ts';

const place = { topic: topics.quotes, partition: 3, offset: 17, receivedAt: t0 };
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const said = image('X', [quote('home', -110)], { at: 5, push: 'rcpt_1', index: 2 });

it('keeps the push, the index and the time of a record of quotes, which becomes source-timed', () => {
  const { record, ticks } = loggedRecord(place, bytes(said))!;
  const received = said.received_at;
  assert.deepEqual(record.value, { ...said, observation: { ...said.observation, observed_at: received } });
  assert.deepEqual([record.key, ticks], [uuid, record.value]);
  const timed = image('X', [], { observedAt: 3, push: 'rcpt_1' });
  assert.deepEqual(loggedRecord(place, bytes(timed)), {
    record: { key: uuid, value: timed, headers: { source: 'feed' } },
    ticks: null,
  });
});

it('gives a record without a push or a time those that the fold gave it', () => {
  const { record } = loggedRecord(place, bytes({ ...said, push: null, received_at: null }))!;
  const { push, received_at, observation } = record.value as typeof said;
  assert.deepEqual([push, received_at, observation?.observed_at], ['3:17', t0, t0]);
});

it('does not believe a clock that was ahead of the broker, as the fold did not', () => {
  const { record } = loggedRecord(place, bytes({ ...said, received_at: t0 + 5_000_001 }))!;
  const { received_at, observation } = record.value as typeof said;
  assert.deepEqual([received_at, observation?.observed_at], [t0, t0]);
});

it('takes observations of MySportsFeeds, and no part of a reset', () => {
  const observation = { feed: 'games', element: '{}', rebuild: null };
  const value = { scope_uuid: uuid, source: 'msf', received_at: null, push: null, push_index: null, observation };
  const of = { ...place, topic: topics.observations };
  const logged = { ...value, received_at: t0, push: '3:17', push_index: 0 };
  assert.deepEqual(loggedRecord(of, bytes(value))?.record, { key: uuid, value: logged, headers: { source: 'msf' } });
  assert.equal(loggedRecord(of, bytes({ ...value, observation: { ...observation, rebuild: 'r' } })), null);
});

it('leaves what is no observation', () => {
  for (const payload of [bytes({ ...said, observation: null }), bytes(null), bytes(7), Buffer.from('not JSON')])
    assert.equal(loggedRecord(place, payload), null);
  assert.equal(loggedRecord({ ...place, topic: topics.games }, bytes(said)), null);
});
