// What `sds verify --archive` finds wrong with a raw archive, each fault planted by hand; and that it finds nothing where nothing is.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { OffsetOutOfRange } from '../../../core/ports/broker.ts';
import { Report } from '../../../ops/verify/report.ts';
import { type VerifiedArchive, verifyArchive } from '../../../ops/verify/verify-archive.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveRange } from '../../../projectors/jobs/archive-range.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog } from '../../support/fakes/written-log.ts';

/** Three records of three days, each in a file of its own. */
async function world() {
  const at = (day: string) => Date.parse(`2026-01-${day}T10:00:00Z`) * 1_000;
  const log = new WrittenLog();
  for (const day of ['08', '09', '10']) log.append(at(day));
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  const tools = { broker: log, archive, mayContinue: async () => true };
  await archiveRange(tools, topics.quotes, { partition: 0, low: 0, high: 3 }, 3);
  const files = await archive.files(topics.quotes, 0);
  assert.equal(files.length, 3);
  const { open, heard } = heardProgress();
  const verify = async (other: Partial<VerifiedArchive> = {}) => {
    const report = new Report();
    await verifyArchive({ broker: log, archive, report, ...other }, open);
    return report;
  };
  const found = async () => (await verify()).violations.map(({ invariant, detail }) => `${invariant} ${detail}`);
  /** A record more, archived at once. */
  const grow = async (): Promise<void> => {
    log.append(at('10'));
    await archiveRange(tools, topics.quotes, { partition: 0, low: log.low, high: log.high }, log.high);
  };
  return { log, objects, archive, files, verify, found, heard, grow };
}

describe('the raw archive is verified', () => {
  it('clean, and counted', async () => {
    const { log, verify } = await world();
    assert.deepEqual((await verify()).violations, []);
    assert.deepEqual((await verify()).checked, {
      'files of the raw archive': 3,
      'archived records': 3,
      'archived records compared with the log': 3,
    });
    log.delete(2);
    const later = await verify();
    assert.deepEqual([later.violations, later.checked['archived records compared with the log']], [[], 1]);
  });

  it('and says how many of its files it has read', async () => {
    const { objects, files, verify, heard } = await world();
    const [damaged] = files;
    await verify();
    await objects.delete([damaged?.key ?? '']);
    await objects.put(damaged?.key ?? '', Buffer.from('other bytes'));
    await verify();
    assert.deepEqual(heard, ['3 of 3 files', '3 of 3 files']);
  });

  it('and a missing file is reported, the first and the last ones too', async () => {
    const { log, objects, files, found } = await world();
    const [first, second, third] = files.map(({ key }) => key);
    await objects.delete([second ?? '']);
    assert.deepEqual(await found(), [
      'I37 offsets 1 to 1 are missing',
      `I37 the file before it, of SHA-256 ${files[1]?.sha256}, is missing`,
    ]);
    const other = await world();
    await other.objects.delete([first ?? '']);
    assert.deepEqual(await other.found(), [`I37 the file before it, of SHA-256 ${files[0]?.sha256}, is missing`]);
    const last = await world();
    await last.objects.delete([third ?? '']);
    assert.deepEqual(await last.found(), [], 'the log still has the record, and the next round archives it again');
    log.delete(3);
    last.log.delete(3);
    assert.deepEqual(await last.found(), ['I37 offsets 2 to 2 were deleted before they were archived']);
  });

  it('and other bytes, other records and missing records are reported', async () => {
    const { log, objects, archive, files, found } = await world();
    const [file] = files;
    assert.ok(file !== undefined);
    const contents = await archive.read(file);
    const bytes = Uint8Array.from((await objects.get(file.key)) ?? []);
    await objects.delete([file.key]);
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    await objects.put(file.key, bytes);
    assert.match((await found()).join(), /^I37 .*another SHA-256 than its name says$/);
    await objects.delete([file.key]);
    const [record] = contents.records;
    assert.ok(record !== undefined);
    const changed = { ...contents, records: [{ ...record, bytes: Buffer.from([...record.bytes, 0]) }] };
    await archive.write(file, changed);
    assert.match((await found()).join(), /I37 the log has another record at offset 0/);
    for (const each of await archive.files(topics.quotes, 0)) await objects.delete([each.key]);
    log.append(Date.parse('2026-01-10T11:00:00Z') * 1_000);
    const range = { topic: topics.quotes, partition: 0, day: '2026-01-08', from: 0, to: 2 };
    await archive.write(range, { ...contents, previous: null });
    assert.deepEqual(await found(), ['I37 the log has a record that it does not hold at offset 1']);
    await objects.delete((await archive.files(topics.quotes, 0)).map(({ key }) => key));
    await archive.write(range, {
      ...contents,
      records: [record, { ...record, offset: 1, timestamp: 2e15 }],
      previous: null,
    });
    assert.match((await found()).join(), /I37 the record of offset 1 is of 2033-05-18/);
  });

  it('and an archive of another log is reported', async () => {
    const { log, found } = await world();
    log.high = 2;
    assert.deepEqual(await found(), ['I37 it ends at offset 3, and the log at 2: they are not of one log']);
  });

  it('beside a service that archives more meanwhile', async () => {
    const { log, verify, grow } = await world();
    const watermarks = async (topic: string) => {
      const held = await log.watermarks(topic);
      if (topic === topics.quotes) await grow();
      return held;
    };
    const report = await verify({ broker: { watermarks, read: log.read.bind(log) } });
    assert.deepEqual(report.violations, []);
  });

  it('beside a log that deletes what is being compared', async () => {
    const { log, archive, verify } = await world();
    const read: typeof archive.read = async (file) => {
      log.delete(file.to);
      return archive.read(file);
    };
    const report = await verify({ archive: { files: archive.files, read } });
    assert.deepEqual([report.violations, report.checked['files of the raw archive']], [[], 3]);
  });

  it('and a log that refuses an offset it says to hold is a failure', async () => {
    const { log, verify } = await world();
    // biome-ignore lint/correctness/useYield: it fails before its first batch
    async function* read(_topic: string, partition: number, from: number): ReturnType<typeof log.read> {
      throw new OffsetOutOfRange(partition, from);
    }
    await assert.rejects(verify({ broker: { watermarks: log.watermarks.bind(log), read } }), OffsetOutOfRange);
  });
});
