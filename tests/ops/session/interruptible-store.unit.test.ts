// Claim: once a command is interrupted, it reads no further object, however many are left.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { interruptibleStore } from '../../../ops/session/interruptible-store.ts';

it('reads until it is interrupted', async () => {
  const interruption = new AbortController();
  const read: string[] = [];
  const store = {
    get: async (key: string) => {
      read.push(key);
      return null;
    },
    put: async () => {},
    async *list() {},
  };
  const { get } = interruptibleStore(store, interruption.signal);
  assert.equal(await get('a'), null);
  interruption.abort();
  await assert.rejects(get('b'), /aborted/);
  assert.deepEqual(read, ['a']);
});
