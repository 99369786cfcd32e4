// The objects that records refer to: each record is folded in order with its own, verified bytes, even if the store returns wrong bytes for
// a moment; and memory holds one object at a time.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { type Attachment, ObjectDamaged } from '../../../core/ports/object-store.ts';
import { loadAttachment, withAttachments } from '../../../projectors/worker/attachments.ts';

function record(offset: number, key: string | null = null): DeliveredRecord {
  return { offset, timestamp: 0, key, headers: {}, value: null, bytes: new Uint8Array(), undecodable: null };
}

const text = Buffer.from('{"plays":[]}');
const object = (key: string): Attachment => ({
  forms: [{ key, encoding: 'identity' }],
  size: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
});
const attachment = ({ key }: DeliveredRecord): Attachment | null => (key === null ? null : object(key));

async function runsOf(get: (key: string) => Promise<Uint8Array | null>, records: readonly DeliveredRecord[]) {
  const runs: (readonly DeliveredRecord[])[] = [];
  for await (const run of withAttachments({ get }, attachment, records)) runs.push(run);
  return runs;
}

describe('records that refer to objects', () => {
  it('come one by one with their bytes, the others together, all in order', async () => {
    const asked: string[] = [];
    const get = async (key: string) => {
      asked.push(key);
      return key === 'absent' ? null : text;
    };
    const runs = await runsOf(get, [record(0), record(1), record(2, 'a'), record(3, 'absent'), record(4)]);
    assert.deepEqual(
      runs.map((run) => run.map(({ offset }) => offset)),
      [[0, 1], [2], [3], [4]],
    );
    assert.deepEqual(
      runs.flat().map(({ attached }) => attached),
      [undefined, undefined, text, null, undefined],
    );
    assert.deepEqual(asked, ['a', 'absent']);
  });

  it('are loaded when their turn has come', async () => {
    const asked: string[] = [];
    const get = async (key: string) => {
      asked.push(key);
      return text;
    };
    const runs = withAttachments({ get }, attachment, [record(0, 'a'), record(1, 'b')]);
    await runs.next();
    assert.deepEqual(asked, ['a']);
    await runs.return(undefined);
  });

  it('are without bytes where these are not what the record says, and a single wrong answer is not believed', async () => {
    const wrong = [Buffer.from('{"plays":{}}'), Buffer.concat([text, text]), text.subarray(1)];
    for (const bytes of wrong) {
      assert.equal((await runsOf(async () => bytes, [record(0, 'a')]))[0]?.[0]?.attached, null);
      let reads = 0;
      const once = async () => (reads++ === 0 ? bytes : text);
      assert.equal((await runsOf(once, [record(0, 'a')]))[0]?.[0]?.attached, text);
    }
  });

  it('are found in whichever form they are held, and a damaged form does not hide a good one', async () => {
    const forms: Attachment['forms'] = [
      { key: 'packed', encoding: 'zstd' },
      { key: 'plain', encoding: 'identity' },
    ];
    for (const [held, found] of [
      [{ packed: zstdCompressSync(text) }, text],
      [{ plain: text }, text],
      [{ packed: Buffer.alloc(0), plain: text }, text],
      [{ packed: zstdCompressSync(Buffer.concat([text, text])) }, null],
      [{ packed: Buffer.alloc(0) }, null],
      [{}, null],
    ] as const) {
      const get = async (key: string) => (held as Record<string, Uint8Array>)[key] ?? null;
      assert.deepEqual(await loadAttachment({ get }, { ...object(''), forms }), found);
    }
  });

  it('are without bytes where the store says that these are damaged', async () => {
    const get = (): Promise<Uint8Array> => Promise.reject(new ObjectDamaged('a'));
    const [[folded] = []] = await runsOf(get, [record(0, 'a')]);
    assert.equal(folded?.attached, null);
  });

  it('are not folded in long runs either, when they refer to none', async () => {
    const large = (offset: number) => ({ ...record(offset), bytes: new Uint8Array(400_000) });
    const runs = await runsOf(async () => text, [0, 1, 2, 3, 4].map(large));
    assert.deepEqual(
      runs.map((run) => run.map(({ offset }) => offset)),
      [[0, 1], [2, 3], [4]],
    );
    const huge = { ...record(0), bytes: new Uint8Array(2_000_000) };
    assert.deepEqual(
      (await runsOf(async () => text, [huge, record(1, 'a')])).map((run) => run.length),
      [1, 1],
    );
  });

  it('are as they are where the projector knows of none', async () => {
    const runs: (readonly DeliveredRecord[])[] = [];
    const get = () => Promise.reject(new Error('asked for nothing'));
    for await (const run of withAttachments({ get }, () => null, [record(0, 'a')])) runs.push(run);
    assert.deepEqual(runs, [[record(0, 'a')]]);
  });
});
