// Claim: whatever is missing, cut off or changed in a backup is named, before or while it is copied, and nothing of it becomes an object.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { type BackupDescription, names, sha256Of } from '../../../ops/backup/backup-folder.ts';
import { listingStore } from '../../../ops/backup/object-list.ts';
import { assertWhole, copyKept } from '../../../ops/backup/whole-backup.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';

const keys = Array.from({ length: 8 }, (_, number) => `segments/${number}`);
const never = new AbortController().signal;

describe('a backup', () => {
  let folder: string;
  let kept: ObjectStore;
  let described: BackupDescription;
  const fileOf = (key: string): string => join(folder, names.objects, key);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sds-whole-'));
    kept = await openDiskStore(join(folder, names.objects));
    const listing = listingStore(kept, join(folder, names.list));
    for (const key of [...keys, ...keys]) await listing.put(key, Buffer.from(`object ${key}`));
    writeFileSync(join(folder, names.catalog), 'rows');
    writeFileSync(join(folder, names.peppers), 'peppers');
    described = {
      ...{ form: 1, release: 'this', taken_at: '2026-11-24T00:00:00Z', migrations: [], rows: 0 },
      ...(await listing.finish()),
      catalog_sha256: await sha256Of(join(folder, names.catalog)),
      list_sha256: await sha256Of(join(folder, names.list)),
      peppers_sha256: await sha256Of(join(folder, names.peppers)),
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const refused = (why: RegExp, form = described) => assert.rejects(assertWhole(folder, form, kept, never), why);

  it('is whole as it was written, each object listed once', async () => {
    assert.deepEqual([described.objects, described.bytes], [8, 8 * 'object segments/0'.length]);
    await assertWhole(folder, described, kept, never);
    const to = await openDiskStore(join(folder, 'restored'));
    await copyKept(folder, described, kept, to, never);
    for (const key of keys) assert.equal(Buffer.from((await to.get(key)) ?? []).toString(), `object ${key}`);
  });

  it('says how many objects are looked at, then copied, and can be interrupted while they are', async () => {
    const { open, heard } = heardProgress();
    await assertWhole(folder, described, kept, never, open);
    await copyKept(folder, described, kept, await openDiskStore(join(folder, 'restored')), never, open);
    const { list_sha256: _, ...earlier } = described;
    await copyKept(folder, earlier, kept, await openDiskStore(join(folder, 'again')), never, open);
    assert.deepEqual(
      heard,
      Array.from({ length: 3 }, () => '8 of 8 objects'),
    );
    await assert.rejects(assertWhole(folder, described, kept, AbortSignal.abort()), /aborted/);
  });

  it('is refused by name where a file is missing or another', async () => {
    writeFileSync(join(folder, names.catalog), 'row');
    rmSync(join(folder, names.peppers));
    await refused(/is damaged: catalog\.ndjson\.gz has another SHA-256, key-peppers is missing; .*another copy/);
    writeFileSync(join(folder, names.list), '');
    await refused(/objects\.ndjson has another SHA-256/);
  });

  it('is refused with the first few objects that are missing or cut off, and how many more', async () => {
    truncateSync(fileOf('segments/1'), 3);
    await refused(/is damaged: objects\/segments\/1 has 3 of 17 bytes;/);
    for (const key of keys.slice(2)) rmSync(fileOf(key));
    await refused(/bytes, objects\/segments\/2 is missing, .*objects\/segments\/5 is missing and 2 more;/);
  });

  it('gives no object of other bytes, and names it', async () => {
    writeFileSync(fileOf('segments/4'), 'object segments/5');
    await assertWhole(folder, described, kept, never);
    const to = await openDiskStore(join(folder, 'restored'));
    await assert.rejects(
      copyKept(folder, described, kept, to, never),
      /is damaged: objects\/segments\/4 has another SHA-256;/,
    );
    assert.equal(await to.head('segments/4'), null);
  });

  it('of an earlier build has no list, and is counted', async () => {
    const { list_sha256: _, peppers_sha256: __, ...earlier } = described;
    await assertWhole(folder, earlier, kept, never);
    rmSync(fileOf('segments/4'));
    await refused(/has 7 objects of 119 bytes, and says 8 of 136/, earlier);
  });
});
