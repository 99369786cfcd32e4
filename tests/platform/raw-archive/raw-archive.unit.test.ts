// A file of the raw archive gives back the records that were written, with their values, by the schemas that it holds itself; and a file
// with other bytes is never read.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { RawFileDamaged } from '../../../core/ports/raw-archive.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog, writtenSchemaId } from '../../support/fakes/written-log.ts';

const time = Date.parse('2026-01-09T12:00:00Z') * 1_000;
const range = { topic: topics.quotes, partition: 0, day: '2026-01-09', from: 0, to: 3 } as const;

async function written() {
  const log = new WrittenLog();
  log.append(time);
  log.appendBad(time + 1, Uint8Array.of(0, 0, 0, 0, 9, 255, 254));
  log.append(time + 2);
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const schemas = new Map([[writtenSchemaId, String(await log.writerSchema(writtenSchemaId))]]);
  const file = await archive.write(range, { records: log.records, schemas, previous: null });
  return { log, objects, archive, file };
}

describe('a file of the raw archive', () => {
  it('gives back every record with its value, and needs no registry', async () => {
    const { log, archive, file } = await written();
    assert.deepEqual(await archive.files(topics.quotes, 0), [file]);
    const contents = await archive.read(file);
    assert.deepEqual(contents.previous, null);
    const records = await archive.decoded(topics.quotes, contents);
    assert.deepEqual(
      records.map((record) => ({ ...record, bytes: Buffer.from(record.bytes) })),
      log.records.map((record) => ({ ...record, bytes: Buffer.from(record.bytes) })),
    );
  });

  it('lists those of its own partition alone', async () => {
    const { objects, archive, file } = await written();
    await objects.put('raw-archive/sds.quotes.v1/0/notes', Uint8Array.of(1));
    const other = await archive.write({ ...range, partition: 1 }, { records: [], schemas: new Map(), previous: null });
    assert.deepEqual(await archive.files(topics.quotes, 0), [file]);
    assert.deepEqual(await archive.files(topics.quotes, 1), [other]);
    assert.deepEqual(await archive.files(topics.games, 0), []);
  });

  it('is read again where its bytes came damaged', async () => {
    const { objects, file } = await written();
    let reads = 0;
    const flawed: typeof objects.get = async (key, part) => {
      reads += 1;
      const bytes = await objects.get(key, part);
      return reads < 3 ? (bytes?.slice(1) ?? null) : bytes;
    };
    assert.equal((await openRawArchive({ ...objects, get: flawed }).read(file)).records.length, 3);
  });

  it('is refused where it is missing, has other bytes, or is no Parquet file', async () => {
    const { objects, archive, file } = await written();
    const bytes = (await objects.get(file.key)) ?? new Uint8Array();
    const refused = async (what: RegExp) => {
      await assert.rejects(archive.read(file), (error: unknown) => {
        assert.ok(error instanceof RawFileDamaged);
        assert.match(error.message, what);
        return true;
      });
    };
    await objects.delete([file.key]);
    await refused(/is missing/);
    const changed = Uint8Array.from(bytes);
    changed[40] = (changed[40] ?? 0) ^ 1;
    await objects.put(file.key, changed);
    await refused(/another SHA-256/);
  });
});
