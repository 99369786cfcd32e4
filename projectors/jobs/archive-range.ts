// Copies records of a partition from the log into the raw archive, from where the archive ends. Nothing else says how far it goes than its own
// files, so a killed copy goes on where its last file ends. Two processes that copy at once write the same records twice, which costs space alone.
import { type Broker, type DeliveredRecord, Halted } from '../../core/ports/broker.ts';
import type { RawArchive } from '../../core/ports/raw-archive.ts';
import { type RawRange, runsOf, utcDay } from '../../core/raw-archive/raw-file.ts';
import type { ArchivedTopic } from '../../schemas/events/topics.ts';

export type ArchiveTools = {
  broker: Pick<Broker, 'watermarks' | 'read' | 'writerSchema'>;
  archive: Pick<RawArchive, 'files' | 'write'>;
  /** Asked before each file is written, and at each batch; false ends the copy. `reached`: the records before this offset are read. */
  mayContinue(reached: number): Promise<boolean>;
};

/** `lost`: records that the log has deleted before they were archived. `whole`: it was not ended before `to`. */
export type Archived = { files: number; records: number; lost: number; whole: boolean };

/** Of a file, before base64: the copy holds this much in memory several times. */
const mostBytes = 8 * 1024 * 1024;
const mostRecords = 50_000;

/** Place in a partition of the log: what it holds. */
type Held = { partition: number; low: number; high: number };

/**
 * Copies what the archive does not have, up to the offset `to`. A file is of one UTC day.
 * @throws Halted where the archive has more records than the log: it is that of another log
 */
export async function archiveRange(
  tools: ArchiveTools,
  topic: ArchivedTopic,
  held: Held,
  to: number,
): Promise<Archived> {
  const { partition, low, high } = held;
  const last = runsOf(await tools.archive.files(topic, partition)).at(-1);
  const end = last?.to ?? low;
  assertOneLog(topic, partition, end, high);
  const range = { topic, partition, from: Math.max(low, end), to };
  const copied = await copyRange(tools, range, last?.files.at(-1)?.sha256 ?? null);
  return { ...copied, lost: Math.max(0, low - end) };
}

/** @throws Halted where the archive ends behind the end of the log */
export function assertOneLog(topic: ArchivedTopic, partition: number, end: number, high: number): void {
  if (end <= high) return;
  throw new Halted(
    `the raw archive of ${topic}/${partition} ends at offset ${end}, and the log at ${high}: they are not of one log`,
    `move the objects below raw-archive/${topic}/${partition}/ elsewhere, or bring the log back`,
  );
}

/** Copies the records [from, to), and writes no file where there are none. `previous`: the SHA-256 of the file before; null: there is none. */
export async function copyRange(
  tools: ArchiveTools,
  { topic, partition, from, to }: Omit<RawRange, 'day'>,
  previous: string | null,
): Promise<Omit<Archived, 'lost'>> {
  const done = { files: 0, records: 0, whole: false };
  const writing = new OpenFile(tools, { topic, partition, from }, previous);
  if (from >= to) return { ...done, whole: true };
  let reached = from;
  for await (const { records } of tools.broker.read(topic, partition, from, to)) {
    for (const record of records) {
      if (writing.isFull(record) && !(await written(record.offset))) return done;
      writing.add(record);
      reached = record.offset + 1;
    }
    if (!(await tools.mayContinue(reached))) return done;
  }
  if (writing.holds && !(await written(to))) return done;
  return { ...done, whole: true };

  async function written(next: number): Promise<boolean> {
    if (!(await tools.mayContinue(next))) return false;
    done.records += await writing.write(next);
    done.files += 1;
    return true;
  }
}

/** The records of the next file. */
class OpenFile {
  readonly #tools: ArchiveTools;
  readonly #place: { topic: ArchivedTopic; partition: number };
  #records: DeliveredRecord[] = [];
  #bytes = 0;
  #previous: string | null;
  /** A log's times may step back by a moment; its days do not. */
  #day = '';
  from: number;

  constructor(
    tools: ArchiveTools,
    { topic, partition, from }: { topic: ArchivedTopic; partition: number; from: number },
    previous: string | null,
  ) {
    this.#tools = tools;
    this.#place = { topic, partition };
    this.#previous = previous;
    this.from = from;
  }

  get holds(): boolean {
    return this.#records.length > 0;
  }

  /** Whether `record` belongs into another file. */
  isFull(record: DeliveredRecord): boolean {
    if (!this.holds) return false;
    return utcDay(record.timestamp) > this.#day || this.#bytes >= mostBytes || this.#records.length >= mostRecords;
  }

  add(record: DeliveredRecord): void {
    const day = utcDay(record.timestamp);
    if (day > this.#day) this.#day = day;
    this.#records.push(record);
    this.#bytes += record.bytes.length;
  }

  /** `to`: the offset of the first record that is not in it. Answers how many are. */
  async write(to: number): Promise<number> {
    const records = this.#records;
    const range = { ...this.#place, day: this.#day, from: this.from, to };
    const contents = { records, schemas: await this.#schemas(), previous: this.#previous };
    const file = await this.#tools.archive.write(range, contents);
    [this.#records, this.#bytes, this.#previous, this.from] = [[], 0, file.sha256, to];
    return records.length;
  }

  /** Those of the records that the log could decode: what is written with an invented number needs none. */
  async #schemas(): Promise<ReadonlyMap<number, string>> {
    const schemas = new Map<number, string>();
    for (const { bytes, undecodable } of this.#records) {
      if (undecodable !== null) continue;
      const id = Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32BE(1);
      if (schemas.has(id)) continue;
      const schema = await this.#tools.broker.writerSchema(id);
      if (schema === null) throw new Error(`the log has decoded a record of schema ${id}, and does not know it`);
      schemas.set(id, schema);
    }
    return schemas;
  }
}
