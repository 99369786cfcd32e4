// How bytes take their name on disk: docs/proxy.md#on-disk.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { it, vi } from 'vitest';
import { openKeptAnswers } from '../../../ops/proxy/kept-answers.ts';
import type { KeptKind } from '../../../ops/proxy/kept-kind.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';

it('the whole bytes of a file are synced before they take their name; those of a document are not synced', async (t) => {
  const home = makeDataFolder('kept-answers');
  const probe = await open(join(home, 'probe'), 'w');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const kept = openKeptAnswers(join(home, 'cache'), 1_000_000, (error) => assert.fail(String(error)));
  t.onTestFinished(() => {
    vi.restoreAllMocks();
    kept.close();
    rmSync(home, { recursive: true });
  });
  const named = () => readdirSync(join(home, 'cache', 'files'));
  const { datasync } = handles;
  const synced: { size: number; named: string[] }[] = [];
  vi.spyOn(handles, 'datasync').mockImplementation(async function (this: FileHandle) {
    await datasync.call(this);
    synced.push({ size: (await this.stat()).size, named: named() });
  });

  const keep = (target: string, kind: KeptKind, text: string) => {
    async function* body() {
      yield Buffer.from(text.slice(0, 2));
      yield Buffer.from(text.slice(2));
    }
    const sha256 = createHash('sha256').update(text).digest('hex');
    return kept.keep({ target, kind, etag: null, fields: [] }, body(), { size: text.length, sha256 });
  };
  const { sha256 } = (await keep('/v1/games/A/closing-lines', 'file', 'PAR1 and more')) ?? assert.fail();
  assert.deepEqual(synced, [{ size: 13, named: [] }]);
  assert.deepEqual(named(), [sha256]);
  await keep('/v1/games', 'document', '{}');
  assert.equal(synced.length, 1);
  assert.equal(named().length, 2);
});
