// The defaults that the book states to readers. Other tests set these limits themselves, so they would not notice another default.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { defaultLimits } from '../../../api/compose/resource-limits.ts';

const book = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

it('event streams have the heartbeat and the life that the book states', () => {
  const { heartbeatMs, eventStreamLifeMs } = defaultLimits;
  const [seconds, least, most] = [heartbeatMs, eventStreamLifeMs.least / 60, eventStreamLifeMs.most / 60].map(
    (ms) => ms / 1_000,
  );
  assert.ok(book.includes(`A comment comes every ${seconds} seconds. After ${least} to ${most} minutes a stream ends`));
});

it('waits and streams are limited as the book states', () => {
  const { longestWait, eventStreams, eventStreamsOfKey } = defaultLimits;
  assert.ok(book.includes(`At most ${longestWait} seconds are waited`));
  assert.ok(book.includes(`${eventStreamsOfKey} per key, ${eventStreams.toLocaleString('en-US')} in all`));
});

it('a stream whose key no longer holds ends within the minute that the book states', () => {
  const { heartbeatMs, keyFresh } = defaultLimits;
  assert.ok(book.includes('ends within a minute'));
  // A record that is as old as it may be without a question, one heartbeat that asks, and the next, which has the answer.
  assert.ok(keyFresh / 1_000 + 2 * heartbeatMs <= 60_000);
});
