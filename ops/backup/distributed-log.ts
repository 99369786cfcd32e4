// Backs up and restores the log of the distributed edition. A backup has it as a raw archive from the log's oldest record to its newest:
// the service's own archive is copied with the other objects, and the missing part is added to the backup only.
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { RawArchive, RawRecord } from '../../core/ports/raw-archive.ts';
import { runsOf } from '../../core/raw-archive/raw-file.ts';
import { serviceTopics, type TopicSettings } from '../../platform/broker/topic-settings.ts';
import type { TopicRefill } from '../../platform/kafka/topic-refill.ts';
import { openRawArchive, readRawArchive } from '../../platform/raw-archive/raw-archive.ts';
import { archiveRange } from '../../projectors/jobs/archive-range.ts';
import { type ArchivedTopic, archivedTopics } from '../../schemas/events/topics.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';

/** Offsets [low, high) of a partition. */
export type KeptPartition = { topic: ArchivedTopic; partition: number; low: number; high: number };

/** The contents of the log now, per partition. */
export async function heldLog(broker: Pick<Broker, 'watermarks'>): Promise<readonly KeptPartition[]> {
  const held: KeptPartition[] = [];
  for (const topic of archivedTopics) for (const mark of await broker.watermarks(topic)) held.push({ topic, ...mark });
  return held;
}

/** Adds the records that the backup's objects lack. */
export async function keepLog(
  broker: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'>,
  kept: Pick<ObjectStore, 'get' | 'put' | 'list'>,
  held: readonly KeptPartition[],
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<void> {
  const archive = openRawArchive(kept);
  const parts = await Promise.all(
    held.map(async ({ topic, ...each }) => {
      const end = runsOf(await archive.files(topic, each.partition)).at(-1)?.to ?? 0;
      return { topic, each, from: Math.max(each.low, end) };
    }),
  );
  using progress = open({ unit: 'records', all: parts.reduce((sum, { each, from }) => sum + each.high - from, 0) });
  let before = 0;
  for (const { topic, each, from } of parts) {
    const mayContinue = async (reached: number): Promise<boolean> => {
      progress.at(before + reached - from);
      return !interrupted.aborted;
    };
    await archiveRange({ broker, archive, mayContinue }, topic, each, each.high);
    interrupted.throwIfAborted();
    before += each.high - from;
  }
}

/** The settings of the archived topics, with the backup's number of partitions. */
export function keptTopics(held: readonly KeptPartition[]): readonly TopicSettings[] {
  return serviceTopics(1)
    .map((topic) => ({ ...topic, partitions: held.filter((each) => each.topic === topic.name).length }))
    .filter(({ partitions }) => partitions > 0);
}

/** Recreates the topics of the backup, each record at its original offset. Returns the number of records. */
export async function refillLog(
  refill: TopicRefill,
  kept: Pick<ObjectStore, 'get' | 'list'>,
  held: readonly KeptPartition[],
  interrupted: AbortSignal,
  open: OpenProgress = openProgress,
): Promise<number> {
  const archive = readRawArchive(kept);
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
    for (const each of held.filter(({ topic }) => topic === settings.name)) {
      const numbers = new Map<number, number>();
      records += await refill.fill(
        each.topic,
        each,
        archivedRecords(refill, archive, each, numbers, interrupted),
        numbers,
        reached,
      );
      before += each.high;
    }
    await refill.finish(settings);
  }
  return records;
}

/** The records of the partition, file by file; `numbers` maps the schemas of the records yielded so far. */
async function* archivedRecords(
  refill: Pick<TopicRefill, 'register'>,
  archive: Pick<RawArchive, 'files' | 'read'>,
  { topic, partition, low, high }: KeptPartition,
  numbers: Map<number, number>,
  interrupted: AbortSignal,
): AsyncGenerator<readonly RawRecord[]> {
  if (low === high) return;
  const run = runsOf(await archive.files(topic, partition)).find(({ from, to }) => from <= low && to > low);
  let next = low;
  for (const file of run?.files ?? []) {
    if (file.to <= next || file.from >= high) continue;
    interrupted.throwIfAborted();
    const { records, schemas } = await archive.read(file);
    const unknown = new Map([...schemas].filter(([id]) => !numbers.has(id)));
    for (const [id, here] of await refill.register(topic, unknown)) numbers.set(id, here);
    yield records.filter(({ offset }) => offset >= next && offset < high);
    next = file.to;
  }
}
