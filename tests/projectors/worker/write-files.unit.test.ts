// Which files of a flush share an object: files that are soon superseded never share one with permanent files, because the collector could
// not delete them. Each file is where its record says.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'vitest';
import { fileMetadata } from '../../../core/parquet/file-metadata.ts';
import type { PlannedFile } from '../../../core/ports/parquet.ts';
import { runToEnd, type Task } from '../../../core/scheduling/task.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { openTimeSlices } from '../../../projectors/worker/time-slices.ts';
import { writeFiles } from '../../../projectors/worker/write-files.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

const row = { game_id: 'NBA_BOS_CLE_20260110', league: 'NBA', player_id: 'p', team_id: null, stat: 'offense.pts' };

function planned(name: string, form: PlannedFile['form'], value: number): PlannedFile {
  const change = name.includes('change');
  const dataset = change ? 'player-stats/change' : 'player-stats';
  const rows = [{ ...row, value, ...(change ? { _op: 'upsert' } : {}) }];
  const file = change ? 'change' : 'snapshot';
  const metadata = fileMetadata({ dataset: 'player-stats', schemaVersion: 'v1', file, revision: value });
  return { name, dataset, rows, metadata, onto: null, form, like: null };
}

it('packs what stays for ever apart from what does not, each file as it was planned', async () => {
  const store = openMemoryStore(() => 0);
  const tools = {
    objects: store,
    parquet: parquetWriter,
    tails: new Map<string, Uint8Array>(),
    runTask: async <Result>(steps: Task<Result>) => runToEnd(steps),
  };
  const files = [
    planned('snapshot/1', 'kept', 1),
    planned('change/1', 'kept', 2),
    planned('snapshot/2', 'shared', 3),
    planned('change/2', 'kept', 4),
    planned('own', 'own', 5),
  ];
  const written = await writeFiles(tools, files, 'flushes/revisions/p0', '000000000007-e1');
  const counts = written.objects.map(({ key, files: count }) => [key.replace(/-[0-9a-f]{12}\./, '.'), count]);
  assert.deepEqual(counts, [
    ['own-000000000007-e1.parquet', 1],
    ['flushes/revisions/p0/000000000007-e1.flush', 1],
    ['flushes/revisions/p0/000000000007-e1.kept', 3],
  ]);
  for (const { name, dataset, rows } of files) {
    const { ref, rows: count } = written.files.get(name)!;
    const bytes = (await store.get(ref.key, { offset: ref.offset, length: ref.size }))!;
    assert.equal(createHash('sha256').update(bytes).digest('hex'), ref.sha256);
    assert.deepEqual(parquetWriter.decode(dataset, bytes), rows);
    assert.equal(count, rows.length);
  }
  for (const { key, size } of written.objects) assert.equal((await store.head(key))?.size, size);
});

it('makes no object of a kind that the flush has no file of', async () => {
  const store = openMemoryStore(() => 0);
  const tools = {
    objects: store,
    parquet: parquetWriter,
    tails: new Map<string, Uint8Array>(),
    runTask: async <Result>(steps: Task<Result>) => runToEnd(steps),
  };
  const { objects } = await writeFiles(tools, [planned('change/1', 'kept', 1)], 'flushes', 'a');
  assert.equal(objects.length, 1);
  assert.match(objects[0]!.key, /\.kept$/);
});

it('encodes in steps, of which many rows have many and each small file one', async () => {
  const store = openMemoryStore(() => 0);
  let steps = 0;
  const runTask = async <Result>(taken: Task<Result>): Promise<Result> => {
    for (steps += 1; ; steps += 1) {
      const step = taken.next();
      if (step.done === true) return step.value;
    }
  };
  const tools = { objects: store, parquet: parquetWriter, tails: new Map<string, Uint8Array>(), runTask };
  const [first] = planned('snapshot/1', 'shared', 1).rows;
  const large = { ...planned('snapshot/1', 'shared', 1), rows: Array.from({ length: 2_000 }, () => first!) };
  await writeFiles(tools, [large], 'flushes', 'a');
  assert.ok(steps > Object.keys(first!).length, `${steps} steps`);
  steps = 0;
  const small = Array.from({ length: 400 }, (_, index) => planned(`boards/${index}`, 'shared', 1));
  await writeFiles(tools, small, 'flushes', 'b');
  assert.ok(steps >= 400, `${steps} steps`);
});

it('is one piece of work a flush, of which nothing is put before all is encoded, beside that of another', async () => {
  const log: string[] = [];
  let now = 0;
  let pieces = 0;
  const runOfAll = openTimeSlices({ now: () => now, sleep: async () => void log.push('rest') });
  const runTask = <Result>(steps: Task<Result>): Promise<Result> => {
    pieces += 1;
    return runOfAll(steps);
  };
  const flush = (name: string) => {
    const store = openMemoryStore(() => 0);
    const parquet: typeof parquetWriter = {
      ...parquetWriter,
      *encoding(...file) {
        now += 500;
        log.push(name);
        return yield* parquetWriter.encoding(...file);
      },
    };
    const objects = {
      ...store,
      put: async (key: string, bytes: Uint8Array) => {
        log.push(`${name} put`);
        await store.put(key, bytes);
      },
    };
    const files = Array.from({ length: 12 }, (_, at) => planned(`boards/${at}`, at % 4 === 0 ? 'own' : 'shared', at));
    return writeFiles({ objects, parquet, tails: new Map<string, Uint8Array>(), runTask }, files, 'flushes', name);
  };
  await Promise.all([flush('a'), flush('b')]);
  assert.equal(pieces, 2);
  const encoded = log.filter((each) => each === 'a' || each === 'b').join('');
  assert.match(encoded, /^(a{4}|b{4}){6}$/, 'some milliseconds of one, then of another');
  assert.ok(encoded.indexOf('b') < encoded.lastIndexOf('a'), encoded);
  for (const name of ['a', 'b']) assert.ok(log.indexOf(`${name} put`) > log.lastIndexOf(name), log.join(' '));
  assert.ok(log.filter((each) => each === 'rest').length >= 5, log.join(' '));
});

it('puts nothing and remembers nothing where one of the files cannot be encoded, whichever it is', async () => {
  const files = (['kept', 'own', 'shared', 'tail', 'own'] as const).map((form, at) => planned(`file/${at}`, form, at));
  for (let broken = 1; broken <= files.length; broken += 1) {
    const store = openMemoryStore(() => 0);
    let encoded = 0;
    const parquet: typeof parquetWriter = {
      ...parquetWriter,
      *encoding(...file) {
        encoded += 1;
        if (encoded === broken) throw new Error('broken');
        return yield* parquetWriter.encoding(...file);
      },
    };
    const tails = new Map<string, Uint8Array>();
    const runTask = openTimeSlices({ now: () => 0, sleep: async () => {} });
    await assert.rejects(writeFiles({ objects: store, parquet, tails, runTask }, files, 'flushes', 'a'), /broken/);
    const kept: string[] = [];
    for await (const { key } of store.list('')) kept.push(key);
    assert.deepEqual([encoded, kept, tails.size], [broken, [], 0]);
  }
});
