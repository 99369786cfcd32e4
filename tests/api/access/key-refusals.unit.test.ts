// Claim: a refusal reveals nothing about existing keys (SECURITY.md). `npm run bench -- k` measures the time; this test checks the cause:
// for a key that differs from a real one only in its last character, and for one that resembles none, every block of code runs equally
// often, ours and that of the libraries. A violation would need a comparison with a stored key that can end early.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, it } from 'vitest';
import type { KeyRing } from '../../../api/access/key-ring.ts';
import { checkKey } from '../../../core/access/key-format.ts';
import type { FakeCatalog } from '../../support/fakes/api-fakes.ts';
import { openKeyRing } from '../../support/fakes/key-ring.ts';
import { mistypedKey, nearKey, strangeKey } from '../../support/http/near-keys.ts';

const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

/** How often each block of each file ran during `work`. */
async function runsOf(work: () => Promise<void>): Promise<Record<string, number[]>> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.filter(({ url }) => url.startsWith('file:') && !url.includes('/tests/'));
  return Object.fromEntries(
    files.flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges }) => [
        `${url.slice(url.lastIndexOf('/') + 1)} ${functionName} ${ranges[0]?.startOffset}`,
        ranges.map(({ count }) => count),
      ]),
    ),
  );
}

/** A ring that knows the keys of `reals` and has refused one other key. */
async function openRing(): Promise<{ ring: KeyRing; catalog: FakeCatalog; reals: string[] }> {
  const opened = openKeyRing(50);
  for (const key of [...opened.reals, strangeKey(1_000)]) await opened.ring.verdict(`Bearer ${key}`, 1);
  return opened;
}

async function refusalsOf(keysLike: (reals: string[]) => string[]): Promise<[Record<string, number[]>, number]> {
  const { ring, catalog, reals } = await openRing();
  const keys = keysLike(reals);
  const asked = catalog.calls.apiKeyByMac;
  const runs = await runsOf(async () => {
    for (const key of keys) assert.equal((await ring.verdict(`Bearer ${key}`, 1)).kind, 'invalid');
  });
  return [runs, catalog.calls.apiKeyByMac - asked];
}

const likeNone = (reals: string[]) => reals.map((_, turn) => strangeKey(turn));

it('an unknown key takes one path, however much of it is a real key', async () => {
  const [unlike, asked] = await refusalsOf(likeNone);
  const [like, askedAlike] = await refusalsOf((reals) => reals.map(nearKey));
  assert.deepEqual(like, unlike);
  assert.deepEqual([asked, askedAlike], [50, 50]);
  const hashed = Object.entries(like).find(([name]) => name.startsWith('key-format.ts macOfKey '));
  assert.equal(hashed?.[1][0], 50, 'each is hashed once');
});

it('a mistyped key takes one path without a query, whether it was a real one or not', async () => {
  const [unlike, asked] = await refusalsOf((reals) => likeNone(reals).map(mistypedKey));
  const [like, askedAlike] = await refusalsOf((reals) => reals.map(mistypedKey));
  assert.deepEqual(like, unlike);
  assert.deepEqual([asked, askedAlike], [0, 0]);
});

it('each key in this test is malformed or mistyped as its name says', () => {
  const real = strangeKey(7);
  for (let turn = 0; turn < 61; turn += 1) {
    const near = nearKey(real, turn);
    assert.equal(checkKey(near), 'live');
    assert.equal(near.slice(0, 48), real.slice(0, 48));
    assert.notEqual(near, real);
    assert.equal(checkKey(mistypedKey(real, turn)), null);
  }
  assert.equal(new Set(Array.from({ length: 1_000 }, (_, turn) => strangeKey(turn))).size, 1_000);
});
