import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { openDiskStore, readDiskStore } from '../../../platform/objects/disk.ts';
import { openS3Store } from '../../../platform/objects/s3.ts';
import { openThreadedDiskStore } from '../../../platform/objects/threaded-disk.ts';
import { objectStoreContract } from '../../support/contracts/object-store-contract.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = mkdtempSync(join(tmpdir(), 'sds-objects-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const memory = openMemoryStore();
objectStoreContract('memory', async () => memory);
const s3 = await services.s3();
let bucket: Promise<string> | null = null;
objectStoreContract(
  's3',
  async () => {
    const { endpoint, region, accessKeyId, secretAccessKey } = s3;
    bucket ??= s3.createBucket();
    return openS3Store({ endpoint, region, bucket: await bucket, credentials: { accessKeyId, secretAccessKey } });
  },
  s3.skip,
);
describe('s3 store', skipFor(s3.skip), () => {
  it('does not take a bucket that is not there for an object that is not there', async () => {
    const { endpoint, region, accessKeyId, secretAccessKey } = s3;
    const credentials = { accessKeyId, secretAccessKey };
    const store = openS3Store({ endpoint, region, bucket: unique('no-bucket'), credentials });
    await assert.rejects(store.get('live/x'), { name: 'NoSuchBucket' });
    await assert.rejects(store.put('live/x', new Uint8Array(1)), { name: 'NoSuchBucket' });
    await store.close();
  });
});
objectStoreContract('disk', () => openDiskStore(join(root, 'with a space')));
objectStoreContract('disk, with a thread', () => openThreadedDiskStore(join(root, 'of a thread'), assert.fail));

/** Runs a script of ours under a shell that first sets its limits. */
function run(limits: string, script: string): Promise<{ code: number | null; signal: string | null; output: string }> {
  const child = spawn(
    '/bin/sh',
    ['-c', `${limits}; exec "$0" "$@"`, process.execPath, '--input-type=module', '-e', script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, output })));
}

const files = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe('disk store', () => {
  it('leaves nothing of a put that the disk refused, and goes on', async () => {
    const dir = join(root, 'full');
    // A file size limit of 64 kB stands for a full disk: the write fails half-way.
    const { output } = await run(
      'ulimit -f 128',
      `import { openDiskStore } from '../../../platform/objects/disk.ts';
       const store = await openDiskStore(${JSON.stringify(dir)});
       const said = await store.put('a/big', new Uint8Array(1_000_000)).then(() => 'written', (error) => error.code);
       await store.put('a/small', new Uint8Array(1_000));
       console.log(said, await store.get('a/big'), (await store.get('a/small')).length);`,
    );
    assert.equal(output, 'EFBIG null 1000\n');
    assert.deepEqual(
      files(dir).map((entry) => entry.name),
      ['small'],
    );
  });

  it('never shows an object whose put was cut off by kill -9', async () => {
    const dir = join(root, 'cut');
    // The process is killed at a random moment of endless puts; each object contains its own size.
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { openDiskStore } from '../../../platform/objects/disk.ts';
           const store = await openDiskStore(${JSON.stringify(dir)});
           for (let n = 0; ; n += 1) {
             const size = 1 + (n * 7919) % 300_000;
             await Promise.all([0, 1, 2, 3].map((k) => store.put(\`cut/${round}/\${n}-\${k}-\${size}\`, Buffer.alloc(size, 65 + k))));
             if (n === 0) console.log('puts');
           }`,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname },
      );
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 15 + Math.random() * 60));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    const store = await openDiskStore(dir);
    let seen = 0;
    for await (const info of store.list('')) {
      seen += 1;
      const [, k, size] = info.key.split('/')[2]!.split('-').map(Number);
      assert.equal(info.size, size, info.key);
      assert.ok(Buffer.from((await store.get(info.key))!).equals(Buffer.alloc(size!, 65 + k!)), info.key);
    }
    assert.ok(seen > 0);
  });

  it('deletes a killed process’s unfinished files once no process can be writing them', async () => {
    const dir = join(root, 'aside');
    mkdirSync(join(dir, '.aside'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(dir, '.aside', name), 'x');
    utimesSync(join(dir, '.aside', 'old'), 1_000, 1_000);
    await openDiskStore(dir);
    assert.deepEqual(readdirSync(join(dir, '.aside')), ['new']);
  });

  it('does not list, read or overwrite what lies aside', async () => {
    const dir = join(root, 'hidden');
    const store = await openDiskStore(dir);
    writeFileSync(join(dir, '.aside', 'a'), 'x');
    for await (const info of store.list('')) assert.fail(info.key);
    await assert.rejects(store.get('.aside/a'), RangeError);
    await assert.rejects(store.put('.aside/b', new Uint8Array()), RangeError);
  });

  it('writes plain files that other programs can read', async () => {
    const dir = join(root, 'plain');
    const store = await openDiskStore(dir);
    await store.put('live/game/1.parquet', new TextEncoder().encode('PAR1'));
    assert.equal(readFileSync(join(dir, 'live/game/1.parquet'), 'utf8'), 'PAR1');
  });

  it('is read without creating or changing anything, as a backup on a read-only medium is', async () => {
    const dir = join(root, 'read');
    const reader = readDiskStore(dir);
    assert.equal(await reader.get('a/b'), null);
    for await (const info of reader.list('')) assert.fail(info.key);
    assert.equal(existsSync(dir), false);
    await (await openDiskStore(dir)).put('a/b', new Uint8Array(3));
    rmSync(join(dir, '.aside'), { recursive: true });
    assert.equal((await reader.get('a/b'))?.length, 3);
    assert.equal((await reader.head('a/b'))?.size, 3);
    assert.deepEqual(readdirSync(dir), ['a']);
  });

  it('does not open where it cannot write', async () => {
    writeFileSync(join(root, 'file'), '');
    await assert.rejects(openDiskStore(join(root, 'file')));
  });
});
