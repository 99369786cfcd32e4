// A disk store with a thread whose thread fails: that is reported, and nothing that was to be put is lost.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { openThreadedDiskStore } from '../../../platform/objects/threaded-disk.ts';

const root = mkdtempSync(join(tmpdir(), 'sds-threaded-disk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('reports a thread that fails, and puts by itself what it was to put', async () => {
  const dir = join(root, 'store');
  const failures: Error[] = [];
  const store = await openThreadedDiskStore(dir, (error) => {
    failures.push(error);
    rmSync(dir);
    mkdirSync(join(dir, '.aside'), { recursive: true });
  });
  // The thread starts in a moment and opens the folder, which is a file by then.
  rmSync(dir, { recursive: true });
  writeFileSync(dir, '');
  const bytes = new Uint8Array([1, 2, 3]);
  await Promise.all([store.put('a/b', bytes), store.put('a/c', bytes)]);
  await store.put('a/d', bytes);
  assert.equal(failures.length, 1);
  for (const key of ['a/b', 'a/c', 'a/d']) assert.deepEqual([...((await store.get(key)) ?? [])], [...bytes], key);
  await store.close();
});
