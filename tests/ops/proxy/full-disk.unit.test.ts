// Claim: where the proxy's disk or its index fails, its readers get what the API has sent, verified and paid for once; once there is room
// again it is kept. A violation would need an error of the disk that ends an answer, or bytes in memory that nothing has checked.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { afterEach, describe, it, vi } from 'vitest';
import { openKeptAnswers } from '../../../ops/proxy/kept-answers.ts';
import type { Origin } from '../../../ops/proxy/origin.ts';
import type { ProxyAnswer } from '../../../ops/proxy/proxy-answer.ts';
import { openReadThrough } from '../../../ops/proxy/read-through.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';

const file = '/v1/games/A/closing-lines';
const listing = '/v1/games?limit=5';
const parts = ['PAR1 the first part', ' the second', ' and the last PAR1'];
const digest = createHash('sha256').update(parts.join('')).digest('hex');

const ending: (() => unknown)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const end of ending.splice(0).reverse()) end();
});

/** `home`: of a world before, whose proxy has ended. */
function world(home = makeDataFolder('full-disk')) {
  const folder = join(home, 'cache');
  const failures: string[] = [];
  const kept = openKeptAnswers(folder, 1_000_000, (error) => failures.push(String(error)));
  ending.push(
    () => rmSync(home, { recursive: true, force: true }),
    () => kept.close(),
  );
  const asked: string[] = [];
  const api = { parts, status: 200 };
  const origin: Pick<Origin, 'ask'> = {
    async ask(method, target, fields) {
      asked.push(method);
      const etag = `"${digest}"`;
      const isKnown = fields['if-none-match'] === etag;
      const body = method === 'HEAD' || isKnown ? [] : api.parts;
      const type = target === listing ? 'application/json' : 'application/vnd.apache.parquet';
      return Object.assign(Readable.from(body.map((part) => Buffer.from(part))), {
        statusCode: isKnown ? 304 : api.status,
        headers: { 'content-type': type, etag, 'cache-control': 'private, max-age=5', 'x-service-debited': '7' },
      }) as unknown as IncomingMessage;
    },
  };
  const { answer } = openReadThrough(kept, { ...origin, close() {} });
  const get = (target: string): Promise<ProxyAnswer> => answer({ method: 'GET', target, fields: {} });
  return { home, kept, failures, asked, api, get, files: () => readdirSync(join(folder, 'files')) };
}

/** What all open files share. */
async function handlesOf(): Promise<FileHandle> {
  const folder = makeDataFolder('full-disk-probe');
  ending.push(() => rmSync(folder, { recursive: true }));
  const probe = await open(join(folder, 'probe'), 'w');
  await probe.close();
  return Object.getPrototypeOf(probe) as FileHandle;
}

/** From now on, files take `most` parts of a body before their disk is full. */
async function fillDisk(most: number): Promise<void> {
  vi.spyOn(await handlesOf(), 'writeFile').mockImplementation(async (data) => {
    let left = most;
    for await (const _ of data as AsyncIterable<Uint8Array>) {
      left -= 1;
      if (left < 0) break;
    }
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
}

/** From now on, the index cannot be written. */
function fillIndex(): void {
  const database = new DatabaseSync(':memory:');
  const statements = Object.getPrototypeOf(database.prepare('select 1')) as { run(): unknown };
  database.close();
  vi.spyOn(statements, 'run').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
}

function textOf(answer: ProxyAnswer): string {
  assert.ok(answer.kind === 'kept' && answer.bytes !== undefined, JSON.stringify(answer.kind));
  assert.equal(answer.answer.size, answer.bytes.length);
  return Buffer.from(answer.bytes).toString();
}

describe('a disk that is full', () => {
  for (const most of [0, 1, 3])
    it(`after ${most} parts of a file: all who wait get it from memory, charged once`, async () => {
      const { failures, asked, get, files } = world();
      await fillDisk(most);
      const crowd = await Promise.all([get(file), get(file), get(file)]);
      assert.deepEqual(crowd.map(textOf), Array(3).fill(parts.join('')));
      const debits = crowd.map((each) => each.kind === 'kept' && [each.how, each.asked['x-service-debited']]);
      assert.deepEqual(debits, [['received', '7'], ...Array(2).fill(['hit', undefined])]);
      assert.deepEqual([asked, failures.length, files()], [['HEAD', 'GET'], 1, []]);
      assert.equal(textOf(await get(listing)), parts.join(''));

      vi.restoreAllMocks();
      const again = await get(file);
      assert.deepEqual([again.kind === 'kept' && again.how, files()], ['stored', [digest]]);
    });

  it('hands out no bytes that are not those of the tag', async () => {
    const { api, get } = world();
    await fillDisk(1);
    api.parts = ['PAR1 the first part', ' the sekond', ' and the last PAR1'];
    const answer = await get(file);
    assert.deepEqual(answer, {
      kind: 'unavailable',
      detail: 'The answer has not the bytes of its ETag: nothing of it was kept.',
    });
  });
});

describe('an index that is full', () => {
  it('keeps no new bytes, and leaves none that it does not know', async () => {
    const { get, files } = world();
    fillIndex();
    assert.equal(textOf(await get(file)), parts.join(''));
    assert.deepEqual(files(), []);
  });

  it('serves what is kept, also under another name, and forgets what is gone', async () => {
    const { kept, api, asked, failures, get } = world();
    await get(file);
    await get(listing);
    fillIndex();
    asked.length = 0;
    for (const target of [file, `${file}?version=1`]) {
      const answer = await get(target);
      assert.ok(answer.kind === 'kept');
      assert.equal(answer.how, 'confirmed', target);
      await (await kept.open(answer.answer))?.close();
    }
    assert.deepEqual(asked, ['GET', 'HEAD'], 'both are free');
    assert.ok(failures.length > 0);
    api.status = 404;
    await get(listing);
    assert.equal(kept.find(listing), null);
    assert.notEqual(kept.find(file), null);
  });
});

describe('a file that the disk cannot read', () => {
  for (const [code, isDamaged] of [
    ['EIO', true],
    ['EMFILE', false],
  ] as const)
    it(`for ${code} is ${isDamaged ? 'damaged, and fetched again' : 'not charged again'}`, async () => {
      const before = world();
      await before.get(file);
      before.kept.close();
      ending.pop();
      const { kept, failures, get } = world(before.home);
      const found = kept.find(file) ?? assert.fail();
      const handles = await handlesOf();
      vi.spyOn(handles, 'createReadStream').mockImplementation(
        () => Readable.from(failing(code)) as unknown as ReturnType<FileHandle['createReadStream']>,
      );
      if (!isDamaged) return void (await assert.rejects(kept.open(found), { code }));
      assert.equal(await kept.open(found), null);
      assert.deepEqual([failures.length, kept.find(file)], [1, null]);
      const again = await get(file);
      assert.equal(again.kind === 'kept' && again.how, 'stored');
    });
});

async function* failing(code: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from('PAR1');
  throw Object.assign(new Error(`${code}: read`), { code });
}
