// Backs up and restores the log of the distributed edition. A backup has it as a raw archive from the log's oldest record to its newest:
// the service's own archive is copied with the other objects, and the missing part is added to the backup only.
import { type Broker, OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { RawArchive, RawRecord } from '../../core/ports/raw-archive.ts';
import { gapsOf, type OffsetRange, type RawFile } from '../../core/raw-archive/raw-file.ts';
import { serviceTopics, type TopicSettings } from '../../platform/broker/topic-settings.ts';
import type { TopicRefill } from '../../platform/kafka/topic-refill.ts';
import { openRawArchive, readRawArchive } from '../../platform/raw-archive/raw-archive.ts';
import { assertOneLog, copyRange } from '../../projectors/jobs/archive-range.ts';
import { type ArchivedTopic, archivedTopics } from '../../schemas/events/topics.ts';
import { CommandFailure } from '../session/command.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';

/**
 * Offsets [low, high) of a partition. `empty`: those that hold no record and that no file of the archive covers, such as the markers of
 * transactions behind the newest record. Absent in backups of earlier builds, which can have them only behind the last file.
 */
export type KeptPartition = {
  topic: ArchivedTopic;
  partition: number;
  low: number;
  high: number;
  empty?: readonly OffsetRange[];
};

/** The contents of the log now, per partition. */
export async function heldLog(broker: Pick<Broker, 'watermarks'>): Promise<readonly KeptPartition[]> {
  const held: KeptPartition[] = [];
  for (const topic of archivedTopics) for (const mark of await broker.watermarks(topic)) held.push({ topic, ...mark });
  return held;
}

/**
 * Adds the records that the backup's objects lack: those behind the archive's end, and those of files that it has lost. Returns what the backup
 * has of the log.
 * @throws CommandFailure failed, when the log has deleted some of them
 */
export async function keepLog(
  broker: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'>,
  kept: Pick<ObjectStore, 'get' | 'put' | 'list'>,
  held: readonly KeptPartition[],
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<readonly KeptPartition[]> {
  const archive = openRawArchive(kept);
  const parts: { of: KeptPartition; gap: OffsetRange; previous: string | null }[] = [];
  for (const of of held) {
    const files = await archive.files(of.topic, of.partition);
    assertOneLog(of.topic, of.partition, Math.max(0, ...files.map(({ to }) => to)), of.high);
    for (const gap of gapsOf(files, { from: of.low, to: of.high }))
      parts.push({ of, gap, previous: files.findLast(({ to }) => to <= gap.from)?.sha256 ?? null });
  }
  using progress = open({ unit: 'records', all: parts.reduce((sum, { gap }) => sum + gap.to - gap.from, 0) });
  let before = 0;
  const empty: typeof parts = [];
  for (const part of parts) {
    const { of, gap, previous } = part;
    const mayContinue = async (reached: number): Promise<boolean> => {
      progress.at(before + reached - gap.from);
      return !interrupted.aborted;
    };
    const range = { topic: of.topic, partition: of.partition, ...gap };
    const { files } = await copyRange({ broker, archive, mayContinue }, range, previous).catch((error: unknown) => {
      throw error instanceof OffsetOutOfRange ? lostRecords(range) : error;
    });
    interrupted.throwIfAborted();
    if (files === 0) empty.push(part);
    before += gap.to - gap.from;
  }
  return held.map((each) => ({ ...each, empty: empty.filter(({ of }) => of === each).map(({ gap }) => gap) }));
}

function lostRecords({ topic, partition, from, to }: OffsetRange & { topic: string; partition: number }): Error {
  return new CommandFailure(
    'failed',
    `${topic}/${partition}: the raw archive lacks offsets ${from} to ${to - 1}, and Kafka has deleted some of them while the backup was taken; no backup was made: run it again`,
  );
}

/** The settings of the archived topics, with the backup's number of partitions. */
export function keptTopics(held: readonly KeptPartition[]): readonly TopicSettings[] {
  return serviceTopics(1)
    .map((topic) => ({ ...topic, partitions: held.filter((each) => each.topic === topic.name).length }))
    .filter(({ partitions }) => partitions > 0);
}

/**
 * Recreates the topics of the backup, each record at its original offset. Returns the number of records.
 * @throws CommandFailure failed, before it makes a topic, when the backup's archive lacks records
 */
export async function refillLog(
  refill: TopicRefill,
  kept: Pick<ObjectStore, 'get' | 'list'>,
  held: readonly KeptPartition[],
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<number> {
  const archive = readRawArchive(kept);
  const parts: { of: KeptPartition; files: readonly RawFile[] }[] = [];
  for (const of of held) {
    const files = await archive.files(of.topic, of.partition);
    assertNoneMissing(of, files);
    parts.push({ of, files });
  }
  // Also the offsets before the oldest record are filled.
  using progress = open({ unit: 'offsets', all: held.reduce((sum, { high }) => sum + high, 0) });
  let before = 0;
  const reached = (next: number): void => {
    interrupted.throwIfAborted();
    progress.at(before + next);
  };
  let records = 0;
  for (const settings of keptTopics(held)) {
    await refill.create(settings);
    for (const { of: each, files } of parts.filter(({ of }) => of.topic === settings.name)) {
      const numbers = new Map<number, number>();
      records += await refill.fill(
        each.topic,
        each,
        archivedRecords(refill, archive, each, files, numbers, interrupted),
        numbers,
        reached,
      );
      before += each.high;
    }
    await refill.finish(settings);
  }
  return records;
}

function assertNoneMissing({ topic, partition, low, high, empty }: KeptPartition, files: readonly RawFile[]): void {
  const behind = Math.max(low, ...files.map(({ to }) => to));
  const without = empty ?? [{ from: behind, to: Math.max(behind, high) }];
  const covered = [...files, ...without].sort((a, b) => a.from - b.from);
  const [gap] = gapsOf(covered, { from: low, to: high });
  if (gap === undefined) return;
  throw new CommandFailure(
    'failed',
    `${topic}/${partition}: the backup lacks the records of offsets ${gap.from} to ${gap.to - 1}: put the missing files below objects/raw-archive/${topic}/${partition}/ back, or restore another backup`,
  );
}

/** The records of the partition, file by file; `numbers` maps the schemas of the records yielded so far. */
async function* archivedRecords(
  refill: Pick<TopicRefill, 'register'>,
  archive: Pick<RawArchive, 'read'>,
  { topic, low, high }: KeptPartition,
  files: readonly RawFile[],
  numbers: Map<number, number>,
  interrupted: AbortSignal,
): AsyncGenerator<readonly RawRecord[]> {
  let next = low;
  for (const file of files) {
    if (file.to <= next || file.from >= high) continue;
    interrupted.throwIfAborted();
    const { records, schemas } = await archive.read(file);
    const unknown = new Map([...schemas].filter(([id]) => !numbers.has(id)));
    for (const [id, here] of await refill.register(topic, unknown)) numbers.set(id, here);
    yield records.filter(({ offset }) => offset >= next && offset < high);
    next = file.to;
  }
}
