// Verifies the raw archive: every file matches its name, no file is missing between two others, and the log has the same records, as far as
// it still has them (I37). Reads every byte of the archive, and the log up to its end, while both may go on: files are listed before the
// log is asked what it holds, because it only grows at its end.
import { createHash } from 'node:crypto';
import { type Broker, OffsetOutOfRange } from '../../core/ports/broker.ts';
import { type RawArchive, type RawContents, RawFileDamaged, type RawRecord } from '../../core/ports/raw-archive.ts';
import { type RawFile, runsOf, utcDay } from '../../core/raw-archive/raw-file.ts';
import { type ArchivedTopic, archivedTopics, topics } from '../../schemas/events/topics.ts';
import { type CommandProgress, counted, type OpenProgress, openProgress } from '../session/progress.ts';
import type { Report } from './report.ts';

export type VerifiedArchive = {
  broker: Pick<Broker, 'watermarks' | 'read'>;
  archive: Pick<RawArchive, 'files' | 'read'>;
  report: Report;
};

const invariant = 'I37';

export async function verifyArchive(tools: VerifiedArchive, open: OpenProgress = openProgress): Promise<void> {
  const { broker, archive } = tools;
  let all = 0;
  for (const topic of archivedTopics)
    for (const { partition } of await broker.watermarks(topic)) all += (await archive.files(topic, partition)).length;
  using progress = open({ unit: 'files', all });
  for (const topic of archivedTopics)
    for (const { partition } of await broker.watermarks(topic))
      await verifyPartition({ ...tools, progress }, topic, partition);
}

type PartitionTools = VerifiedArchive & { progress: CommandProgress };

async function verifyPartition(
  { broker, archive, report, progress }: PartitionTools,
  topic: ArchivedTopic,
  partition: number,
): Promise<void> {
  const subject = `${topic}/${partition}`;
  const files = await archive.files(topic, partition);
  const { low, high } = await heldOf(broker, topic, partition);
  const runs = runsOf(files);
  for (const [index, { from }] of runs.entries()) {
    const before = runs[index - 1];
    if (before !== undefined) report.violated(invariant, subject, `offsets ${before.to} to ${from - 1} are missing`);
  }
  const last = runs.at(-1);
  if (last !== undefined && last.to < low)
    report.violated(invariant, subject, `offsets ${last.to} to ${low - 1} were deleted before they were archived`);
  if (last !== undefined && last.to > high)
    report.violated(
      invariant,
      subject,
      `it ends at offset ${last.to}, and the log at ${high}: they are not of one log`,
    );
  const known = new Set(files.map(({ sha256 }) => sha256));
  for await (const file of counted(progress, files)) {
    report.count('files of the raw archive');
    const contents = await readFile(archive, file, report);
    if (contents === null) continue;
    report.count('archived records', contents.records.length);
    const { previous } = contents;
    if (previous !== null && !known.has(previous))
      report.violated(invariant, file.key, `the file before it, of SHA-256 ${previous}, is missing`);
    const reason = misplaced(file, contents.records);
    if (reason !== null) report.violated(invariant, file.key, reason);
    if (file.from >= low && file.to <= high) await compareHeld(broker, file, contents.records, report);
  }
}

/** What the log holds of the partition now; of one that it does not have, nothing. */
async function heldOf(
  broker: VerifiedArchive['broker'],
  topic: string,
  partition: number,
): Promise<{ low: number; high: number }> {
  const held = await broker.watermarks(topic);
  return held.find((each) => each.partition === partition) ?? { low: 0, high: 0 };
}

async function readFile(
  archive: VerifiedArchive['archive'],
  file: RawFile,
  report: Report,
): Promise<RawContents | null> {
  try {
    return await archive.read(file);
  } catch (error) {
    if (!(error instanceof RawFileDamaged)) throw error;
    report.violated(invariant, file.key, error.message);
    return null;
  }
}

/** Why these are not the records that the file's name promises; null if they are. */
function misplaced({ from, to, day }: RawFile, records: readonly RawRecord[]): string | null {
  let next = from;
  for (const { offset, timestamp } of records) {
    if (offset < next || offset >= to) return `offset ${offset} is out of its place`;
    if (utcDay(timestamp) > day) return `the record of offset ${offset} is of ${utcDay(timestamp)}`;
    next = offset + 1;
  }
  return records.length === 0 ? 'it holds no record' : null;
}

/** As `compare`; a file whose records the log deletes meanwhile is as one whose records it has deleted before. */
async function compareHeld(
  broker: VerifiedArchive['broker'],
  file: RawFile,
  records: readonly RawRecord[],
  report: Report,
): Promise<void> {
  try {
    await compare(broker, file, records, report);
  } catch (error) {
    if (!(error instanceof OffsetOutOfRange)) throw error;
    const { low } = await heldOf(broker, file.topic, file.partition);
    if (file.from >= low) throw error;
  }
}

/** A compacted log may have lost records that the archive has; but the log has none that the archive lacks. */
async function compare(
  broker: VerifiedArchive['broker'],
  { topic, partition, from, to, key }: RawFile,
  records: readonly RawRecord[],
  report: Report,
): Promise<void> {
  const archived = new Map(records.map((record) => [record.offset, digestOf(record)]));
  for await (const batch of broker.read(topic, partition, from, to)) {
    for (const record of batch.records) {
      report.count('archived records compared with the log');
      const digest = archived.get(record.offset);
      archived.delete(record.offset);
      if (digest === digestOf(record)) continue;
      const what = digest === undefined ? 'a record that it does not hold' : 'another record';
      report.violated(invariant, key, `the log has ${what} at offset ${record.offset}`);
      return;
    }
  }
  const [more] = archived.keys();
  if (more !== undefined && topic !== topics.games)
    report.violated(invariant, key, `the log has no record at offset ${more}`);
}

/** Covers everything but the schema's id: a restore into another registry assigns new ids (docs/backup.md). */
function digestOf({ timestamp, key, headers, bytes }: RawRecord): string {
  const hash = createHash('sha256').update(JSON.stringify([timestamp, key, headers]));
  return hash.update(bytes.subarray(0, 1)).update(bytes.subarray(5)).digest('base64');
}
