// The raw archive as Parquet files in the object store. The metadata of a file contain its schemas, so that it can be read without the
// registry, or with another one.
import { createHash } from 'node:crypto';
import { parseJson } from '../../core/json/parse-json.ts';
import { type FileMetadata, readFooter } from '../../core/parquet/footer.ts';
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import { ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';
import { type RawArchive, type RawContents, RawFileDamaged, type RawRecord } from '../../core/ports/raw-archive.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import { folderOf, inOrder, type RawFile, type RawRange, rawFile, rawFileOf } from '../../core/raw-archive/raw-file.ts';
import { type RawRow, rawRecords } from '../../schemas/datasets/raw-records.ts';
import type { ArchivedTopic } from '../../schemas/events/topics.ts';
import { type Codec, openCodec } from '../avro/codec.ts';
import { openWriterSchemas } from '../avro/writer-schemas.ts';
import { serviceTopics } from '../broker/topic-settings.ts';
import { decodeOwnColumns } from '../parquet/decode.ts';
import { openFile } from '../parquet/open-file.ts';

const schemasKey = 'sds.schemas';
const previousKey = 'sds.previous_sha256';
const rowsAtOnce = 2_000;
/** Reads of one file: damage on the way hardly repeats so often. */
const mostReads = 3;

export function openRawArchive(objects: Pick<ObjectStore, 'get' | 'put' | 'list'>): RawArchive {
  return {
    ...readRawArchive(objects),
    async write(range, contents) {
      const bytes = encoded(range, contents);
      const file = rawFile(range, sha256Of(bytes));
      await objects.put(file.key, bytes);
      return file;
    },
  };
}

/** A raw archive that is not written to. */
export function readRawArchive(objects: Pick<ObjectStore, 'get' | 'list'>): Omit<RawArchive, 'write'> {
  const codecs = new Map<ArchivedTopic, Codec>();

  function codecOf(topic: ArchivedTopic): Codec {
    const known = codecs.get(topic) ?? newCodec(topic);
    codecs.set(topic, known);
    return known;
  }

  return {
    async files(topic, partition) {
      const files: RawFile[] = [];
      for await (const { key } of objects.list(folderOf(topic, partition))) {
        const file = rawFileOf(key);
        if (file !== null) files.push(file);
      }
      return inOrder(files);
    },
    async read(file) {
      for (let reads = 0; reads < mostReads; reads += 1) {
        const bytes = await objects.get(file.key).catch((error: unknown) => {
          if (error instanceof ObjectDamaged) throw new RawFileDamaged(file, 'is damaged in the object store');
          throw error;
        });
        if (bytes === null) throw new RawFileDamaged(file, 'is missing');
        if (sha256Of(bytes) === file.sha256) return contentsOf(file, bytes);
      }
      throw new RawFileDamaged(file, 'has another SHA-256 than its name says');
    },
    async decoded(topic, { records, schemas }) {
      const writers = openWriterSchemas(codecOf(topic), async () => null, silentLog);
      for (const [id, schema] of schemas) writers.note(id, schema);
      const readable = records.filter(({ undecodable }) => undecodable === null);
      const decoded = await writers.decodeAll(
        readable.map(({ bytes }) => Buffer.from(bytes)),
        new AbortController().signal,
      );
      const valuesOf = new Map(readable.map((record, index) => [record, decoded[index]]));
      return records.map((record) => ({ ...record, value: null, ...valuesOf.get(record) }));
    },
  };
}

function newCodec(topic: ArchivedTopic): Codec {
  const settings = serviceTopics(1).find(({ name }) => name === topic);
  if (settings === undefined) throw new Error(`no topic ${topic}`);
  return openCodec(settings.schema, settings.longestString);
}

function encoded(range: RawRange, contents: RawContents): Uint8Array {
  const file = openFile(rawRecords, metadataOf(range, contents));
  const { records } = contents;
  for (let from = 0; from < records.length; from += rowsAtOnce)
    file.add(records.slice(from, from + rowsAtOnce).map(rowOf));
  return file.finish();
}

function metadataOf({ topic, partition, day, from, to }: RawRange, { schemas, previous }: RawContents): FileMetadata {
  return new Map([
    ['sds.dataset', rawRecords.name],
    ['sds.schema_version', rawRecords.schemaVersion],
    ['sds.topic', topic],
    ['sds.partition', String(partition)],
    ['sds.day', day],
    ['sds.offsets', `${from}-${to}`],
    [schemasKey, JSON.stringify(Object.fromEntries(schemas))],
    ...(previous === null ? [] : [[previousKey, previous] as const]),
    ['sds.writer', 'sports-data-service'],
  ]);
}

function rowOf({ offset, timestamp, key, headers, bytes, undecodable }: RawRecord): RawRow {
  const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return { offset, timestamp, key, headers: JSON.stringify(headers), value, undecodable };
}

function contentsOf(file: RawFile, bytes: Uint8Array): RawContents {
  try {
    const { metadata } = readFooter(bytes);
    const { rows } = decodeOwnColumns(bytes);
    const schemas = JSON.parse(metadata.get(schemasKey) ?? '{}') as Record<string, string>;
    return {
      records: (rows as readonly RawRow[]).map(recordOf),
      schemas: new Map(Object.entries(schemas).map(([id, schema]) => [Number(id), schema])),
      previous: metadata.get(previousKey) ?? null,
    };
  } catch (error) {
    if (error instanceof ParquetFormatError || error instanceof SyntaxError)
      throw new RawFileDamaged(file, `cannot be read: ${error.message}`);
    throw error;
  }
}

function recordOf({ offset, timestamp, key, headers, value, undecodable }: RawRow): RawRecord {
  const bytes = Buffer.from(value, 'base64');
  return { offset, timestamp, key, headers: parseJson(headers) as Record<string, string>, bytes, undecodable };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
