// Other users can neither read nor prepare our files. In each case they once could.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { checkReadyFile } from '../../../ops/service/first-keys.ts';
import { writeAtomically } from '../../../ops/service/write-atomically.ts';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { openDiskStore } from '../../../platform/objects/disk.ts';
import { closeDataDir, makeDataDir } from '../../../platform/process/data-dir.ts';
import { lockDataDir } from '../../../platform/process/data-dir-lock.ts';
import { checkOwnFolder, faultOfFolder, openNewFile } from '../../../platform/process/own-folder.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = mkdtempSync(join(tmpdir(), 'sds-modes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

let folders = 0;
function folder(mode: number): string {
  folders += 1;
  const path = join(root, `${folders}`);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

/** Every path below, with its mode. */
function modesBelow(path: string): [string, number][] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((each) => [each, modeOf(each)]);
}

describe('a small file that holds secrets', () => {
  it('replaces a link that was prepared under its name, and does not write through it', () => {
    const dir = folder(0o1777);
    const [file, elsewhere] = [join(dir, 'ready.json'), join(root, 'elsewhere')];
    writeFileSync(elsewhere, 'theirs');
    symlinkSync(elsewhere, file);
    // The temporary file's name might be guessed, so a link is prepared under that name as well.
    symlinkSync(elsewhere, `${file}.${process.pid}.new`);
    writeAtomically(file, 'secret');
    assert.equal(readFileSync(elsewhere, 'utf8'), 'theirs');
    assert.equal(lstatSync(file).isFile(), true);
    assert.equal(modeOf(file), 0o600);
  });

  it('keeps no mode of a file that was prepared under its name', () => {
    const dir = folder(0o1777);
    const file = join(dir, 'ready.json');
    for (const prepared of [file, `${file}.${process.pid}.new`]) {
      writeFileSync(prepared, 'theirs');
      chmodSync(prepared, 0o666);
    }
    writeAtomically(file, 'secret');
    assert.equal(modeOf(file), 0o600);
    assert.equal(readFileSync(file, 'utf8'), 'secret');
  });

  it('is refused in a folder into which others write, at the start and later', () => {
    for (const mode of [0o777, 0o757, 0o733]) {
      const file = join(folder(mode), 'ready.json');
      assert.throws(() => writeAtomically(file, 'secret'), /other users may write into the folder \(mode 7/);
      assert.equal(existsSync(file), false);
      assert.throws(
        () => checkReadyFile(file),
        (error) => error instanceof SettingError && /^SDS_READY_FILE is .*other users may write/.test(error.message),
      );
    }
  });

  it('leaves nothing behind that it could not put in place', () => {
    const dir = folder(0o700);
    mkdirSync(join(dir, 'ready.json', 'full'), { recursive: true });
    assert.throws(() => writeAtomically(join(dir, 'ready.json'), 'secret'));
    assert.deepEqual(readdirSync(dir), ['ready.json']);
  });
});

it('a folder is trusted by owner and mode', () => {
  const trusted = (uid: number, mode: number) => faultOfFolder({ uid, mode: 0o40000 | mode }, 1000) === null;
  assert.ok(
    trusted(1000, 0o700) &&
      trusted(1000, 0o755) &&
      trusted(1000, 0o775) &&
      trusted(0, 0o755) &&
      trusted(0, 0o1777) &&
      trusted(1000, 0o1777),
  );
  assert.ok(!trusted(1001, 0o700) && !trusted(1000, 0o757) && !trusted(0, 0o777));
  assert.match(
    faultOfFolder({ uid: 1001, mode: 0o40700 }, 1000) ?? '',
    /another user \(uid 1001\), and this one has uid 1000/,
  );
  assert.equal(faultOfFolder({ uid: 1001, mode: 0o40777 }, undefined), null, 'where there are no such users');
  assert.throws(() => checkOwnFolder(join(root, 'nowhere')), /ENOENT/);
});

it('a new file is never one that is there', () => {
  const dir = folder(0o700);
  symlinkSync(join(dir, 'target'), join(dir, 'link'));
  writeFileSync(join(dir, 'file'), '');
  for (const name of ['link', 'file']) assert.throws(() => openNewFile(join(dir, name)), /EEXIST/);
  assert.equal(existsSync(join(dir, 'target')), false);
});

describe('the data directory', () => {
  it('is entered by this user only, with everything that is made in it', async () => {
    const before = process.umask(0);
    try {
      const dir = join(folder(0o755), 'above', 'data');
      makeDataDir(dir);
      assert.equal(modeOf(dir), 0o700);
      const lock = lockDataDir(dir);
      const store = await openDiskStore(join(dir, 'objects'));
      await store.put('a/b/c.parquet', Buffer.from('bytes'));
      writeAtomically(join(dir, 'first-key.json'), '{}');
      for (const [path, mode] of modesBelow(dir))
        assert.equal(mode, statSync(path).isDirectory() ? 0o700 : 0o600, path);
      lock.release();
    } finally {
      process.umask(before);
    }
  });

  it('of an earlier version is closed once, links and what they lead to left alone', () => {
    const dir = folder(0o755);
    mkdirSync(join(dir, 'objects', 'a'), { recursive: true, mode: 0o755 });
    writeFileSync(join(dir, 'objects', 'a', 'x'), 'x', { mode: 0o644 });
    writeFileSync(join(dir, 'key-peppers'), 'x', { mode: 0o600 });
    const outside = join(root, 'outside');
    writeFileSync(outside, 'x');
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(dir, 'link'));
    assert.equal(closeDataDir(dir), 4);
    for (const [path, mode] of modesBelow(dir)) assert.equal(mode, statSync(path).isDirectory() ? 0o700 : 0o600, path);
    assert.equal(modeOf(dir) & 0o067, 0);
    assert.equal(modeOf(outside), 0o644);
    assert.equal(closeDataDir(dir), 0);
  });

  it(
    'of another user is refused',
    skipFor(process.getuid?.() === 0 ? false : 'only root has folders of others'),
    async () => {
      const { chownSync } = await import('node:fs');
      const dir = folder(0o755);
      chownSync(dir, 65534, 65534);
      assert.throws(() => makeDataDir(dir), /SDS_DATA_DIR is .*belongs to another user \(uid 65534\)/);
      await assert.rejects(openDiskStore(dir), /belongs to another user/);
    },
  );

  it('has no store of objects where others write', async () => {
    await assert.rejects(openDiskStore(folder(0o777)), /other users may write into the folder/);
  });
});
