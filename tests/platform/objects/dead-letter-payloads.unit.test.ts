// A large payload of a dead letter is put as an object before its letter is stored, once for all letters that share it; if the store
// refuses it, the letter keeps it.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { heldPayload, holdPayloads } from '../../../platform/objects/dead-letter-payloads.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

const letterOf = (payload: Uint8Array): DeadLetter => ({
  ...{ topic: 'sds.quotes.v1', partition: null, offset: null, code: 'bad-price', detail: '', pointer: '' },
  ...{ source: 'feed', gameUuid: null, gameId: null, receipt: null, pushIndex: 0, payload },
});
const large = Buffer.alloc(64 * 1024 + 1, 'x');
const named = () => {
  let names = 0;
  return () => {
    names += 1;
    return `n${names}`;
  };
};

it('holds what is above 64 KiB, each payload once', async () => {
  const objects = openMemoryStore();
  const other = Buffer.alloc(100_000, 'y');
  const small = letterOf(large.subarray(1));
  const given = [letterOf(large), small, letterOf(large), letterOf(other)];
  const [one, two, three, four] = await holdPayloads(
    { objects, newName: named(), crash: () => {}, log: silentLog },
    new WeakMap(),
    given,
  );
  assert.equal(two, small);
  assert.deepEqual([one?.payload.length, one?.held?.key], [0, 'letters/n1.zst']);
  assert.deepEqual(three?.held, one?.held);
  assert.deepEqual(await heldPayload(objects, one!.held!), large);
  assert.deepEqual(await heldPayload(objects, four!.held!), other);
  const { key } = one!.held!;
  await objects.delete([key]);
  assert.equal(await heldPayload(objects, one!.held!), null);
  await objects.put(key, Buffer.from('damaged'));
  assert.equal(await heldPayload(objects, one!.held!), null);
});

it('leaves a payload with its letter where the store does not take it', async () => {
  const objects = { put: () => Promise.reject(new Error('away')) };
  const given = [letterOf(large)];
  const tools = { objects, newName: named(), crash: () => {}, log: silentLog };
  assert.deepEqual(await holdPayloads(tools, new WeakMap(), given), given);
});
