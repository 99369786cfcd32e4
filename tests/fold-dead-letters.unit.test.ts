// Dead letters of the fold: a record that loses thousands of quotes does not cost thousands of copies of itself.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DeliveredRecord } from '../core/ports/broker.ts';
import { liveProjector } from '../projectors/live/live-projector.ts';
import { image, quote, t0, uuid } from './support/live-records.ts';

it('holds the whole record in its first letters, and the quote in the others', () => {
  const bad = Array.from({ length: 3_000 }, (_, index) => quote(`s${index}`, 5));
  const value = image('x', [quote('home', -110), ...bad]);
  const record: DeliveredRecord = {
    offset: 0,
    timestamp: t0,
    key: uuid,
    headers: {},
    value,
    bytes: new Uint8Array(),
    undecodable: null,
  };
  const changes = liveProjector.noChanges();
  liveProjector.fold(liveProjector.start(0, null), changes, [record]);
  assert.equal(changes.deadLetters.length, 3_000);
  const whole = JSON.stringify(value).length;
  const bytes = changes.deadLetters.reduce((sum, letter) => sum + letter.payload.length, 0);
  assert.ok(bytes < 20 * whole, `${bytes} bytes of letters for a record of ${whole}`);
  const last = changes.deadLetters.at(-1);
  assert.deepEqual([last?.code, last?.pointer.startsWith('/observation/operators/0/quotes/3000')], ['bad-price', true]);
  assert.equal((JSON.parse(Buffer.from(last?.payload ?? []).toString()) as { selection: string }).selection, 's2999');
});
