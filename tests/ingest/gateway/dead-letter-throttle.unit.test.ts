// Pushes with many dead letters are stored one at a time, alternating between sources; a few dead letters are stored at once.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import type { PushCatalog, ReceiptEntry } from '../../../core/ports/catalog/pushes.ts';
import { throttledDeadLetters } from '../../../ingest/gateway/dead-letter-throttle.ts';

it('lets few letters past many, and many of one source past more of another', async () => {
  const begun: string[] = [];
  let under = 0;
  const keep = async (name: string, letters: readonly unknown[]): Promise<void> => {
    begun.push(`${name} ${letters.length}`);
    if (letters.length > 100) under += 1;
    assert.ok(under <= 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (letters.length > 100) under -= 1;
  };
  const letters = (source: string, count: number): DeadLetter[] =>
    Array.from({ length: count }, () => ({ source }) as DeadLetter);
  const catalog: Pick<PushCatalog, 'acknowledge' | 'rankOf'> = {
    acknowledge: ({ source }, _key, some) => keep(source, some),
    rankOf: async () => 7,
  };
  const { deadLetters, pushes } = throttledDeadLetters(
    {
      deadLetters: { store: (some) => keep(some[0]?.source ?? '', some) },
      pushes: catalog as PushCatalog,
    },
    { now: () => 0, sleep: async () => {} },
  );
  const acknowledge = (source: string, count: number): Promise<void> =>
    pushes.acknowledge({ source } as ReceiptEntry, null, letters(source, count));
  await Promise.all([
    deadLetters.store(letters('flood', 2_000)),
    deadLetters.store(letters('flood', 1_999)),
    acknowledge('flood', 1_998),
    acknowledge('other', 500),
    deadLetters.store(letters('few', 3)),
    acknowledge('none', 0),
  ]);
  assert.deepEqual(begun, ['flood 2000', 'few 3', 'none 0', 'flood 1999', 'other 500', 'flood 1998']);
  assert.equal(await pushes.rankOf('x'), 7);
});

it('rests after many letters for seven times as long as they took, and answers their push before', async () => {
  let now = 0;
  const happened: string[] = [];
  const { deadLetters } = throttledDeadLetters(
    {
      deadLetters: {
        async store(some) {
          happened.push(`stored ${some.length}`);
          now += 30_000;
        },
      },
      pushes: {} as PushCatalog,
    },
    {
      now: () => now,
      async sleep(ms) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        happened.push(`rested ${ms} ms`);
        now += ms * 1_000;
      },
    },
  );
  const letters = Array.from({ length: 101 }, () => ({ source: 'flood' }) as DeadLetter);
  await deadLetters.store(letters);
  assert.deepEqual(happened, ['stored 101']);
  await deadLetters.store(letters);
  assert.deepEqual(happened, ['stored 101', 'rested 210 ms', 'stored 101']);
  await deadLetters.store(letters.slice(1));
  assert.equal(happened.at(-1), 'stored 100');
});

it('goes on after a statement that fails', async () => {
  const failing = async (): Promise<void> => {
    throw new Error('planned');
  };
  const { deadLetters } = throttledDeadLetters(
    { deadLetters: { store: failing }, pushes: {} as PushCatalog },
    { now: () => 0, sleep: async () => {} },
  );
  const letters = Array.from({ length: 101 }, () => ({ source: 'flood' }) as DeadLetter);
  await assert.rejects(deadLetters.store(letters), /planned/);
  await assert.rejects(deadLetters.store(letters), /planned/);
});
