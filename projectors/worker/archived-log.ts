// The log, and before its oldest record the raw archive, as one: for reading what a rebuild needs, however long ago it was. The log itself is read
// wherever it holds the records.
import { BrokerUnavailable, type DeliveredRecord, OffsetOutOfRange } from '../../core/ports/broker.ts';
import { type RawArchive, RawFileDamaged } from '../../core/ports/raw-archive.ts';
import { type RawRun, runsOf, utcDay } from '../../core/raw-archive/raw-file.ts';
import type { Micros } from '../../core/units.ts';
import { type ArchivedTopic, archivedTopics } from '../../schemas/events/topics.ts';
import type { LogReader } from './kept-log.ts';

/** Of a batch, so that its reader holds no more than one of the log's own. */
const mostBytes = 1024 * 1024;

type ReadableArchive = Pick<RawArchive, 'files' | 'read' | 'decoded'>;

/** `log`, whose records of archived topics begin where the archive does. */
export function archivedLog(log: LogReader, given: ReadableArchive): LogReader {
  const archive = answering(given);

  /** The files that lead without a hole up to the log's oldest record; null: there are none. */
  async function before(topic: string, partition: number, low: number): Promise<RawRun | null> {
    const archived = archivedTopics.find((name) => name === topic);
    if (archived === undefined || low === 0) return null;
    const runs = runsOf(await archive.files(archived, partition));
    return runs.find(({ from, to }) => from < low && low <= to) ?? null;
  }

  async function lowOf(topic: string, partition: number): Promise<number> {
    return (await log.watermarks(topic)).find((each) => each.partition === partition)?.low ?? 0;
  }

  return {
    async watermarks(topic) {
      const marks = await log.watermarks(topic);
      return Promise.all(
        marks.map(async (mark) => ({
          ...mark,
          low: (await before(topic, mark.partition, mark.low))?.from ?? mark.low,
        })),
      );
    },
    async offsetAt(topic, partition, time) {
      const offset = await log.offsetAt(topic, partition, time);
      const low = await lowOf(topic, partition);
      // Where the log holds an older record, it holds all of these.
      if (offset > low) return offset;
      const run = await before(topic, partition, low);
      return (run === null ? null : await firstSince(archive, run, time)) ?? offset;
    },
    async *read(topic, partition, from, to) {
      let next = from;
      const low = await lowOf(topic, partition);
      if (next < low && next < to) {
        const run = await before(topic, partition, low);
        if (run === null || next < run.from) throw new OffsetOutOfRange(partition, next);
        const until = Math.min(to, low);
        for await (const records of recordsOf(archive, topic as ArchivedTopic, run, next, until))
          yield { topic, partition, records, highWatermark: to };
        next = until;
      }
      if (next < to) yield* log.read(topic, partition, next, to);
    },
  };
}

/** An object store that does not answer is an outage of the log that is read; a damaged file stays damaged. */
function answering(archive: ReadableArchive): ReadableArchive {
  const asOutage = (error: unknown): never => {
    if (error instanceof RawFileDamaged) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BrokerUnavailable(`the raw archive cannot answer now: ${reason}`, { cause: error });
  };
  return {
    files: (topic, partition) => archive.files(topic, partition).catch(asOutage),
    read: (file) => archive.read(file).catch(asOutage),
    decoded: (topic, contents) => archive.decoded(topic, contents),
  };
}

/** The offset of the first record of the run that was appended at `time` or later; null: all are older. */
async function firstSince(archive: ReadableArchive, run: RawRun, time: Micros): Promise<number | null> {
  const day = utcDay(time);
  for (const file of run.files) {
    if (file.day < day) continue;
    const found = (await archive.read(file)).records.find(({ timestamp }) => timestamp >= time);
    if (found !== undefined) return found.offset;
  }
  return null;
}

/** The records [from, to) of a run, each once, in batches. */
async function* recordsOf(
  archive: ReadableArchive,
  topic: ArchivedTopic,
  run: RawRun,
  from: number,
  to: number,
): AsyncGenerator<readonly DeliveredRecord[]> {
  let next = from;
  for (const file of run.files) {
    if (file.to <= next || file.from >= to) continue;
    const contents = await archive.read(file);
    const records = contents.records.filter(({ offset }) => offset >= next && offset < to);
    let batch: (typeof records)[number][] = [];
    let bytes = 0;
    for (const record of records) {
      if (batch.length > 0 && bytes + record.bytes.length > mostBytes) {
        yield await archive.decoded(topic, { ...contents, records: batch });
        [batch, bytes] = [[], 0];
      }
      batch.push(record);
      bytes += record.bytes.length;
    }
    if (batch.length > 0) yield await archive.decoded(topic, { ...contents, records: batch });
    next = file.to;
  }
}
