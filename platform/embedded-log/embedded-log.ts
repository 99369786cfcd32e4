// The log of the embedded edition: a Broker in PostgreSQL. Rows are batches of records, offsets are assigned under a row lock, and NOTIFY
// wakes readers. Several processes on one database may produce and share partitions; usually there is one.

import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { Broker, Ends, Forget, OutgoingRecord } from '../../core/ports/broker.ts';
import { OffsetOutOfRange } from '../../core/ports/broker.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { type Codec, openCodec } from '../avro/codec.ts';
import { openWriterSchemas, type WriterSchemas } from '../avro/writer-schemas.ts';
import { type GroupCommit, openGroupCommit } from '../broker/group-commit.ts';
import { openConsumers } from '../broker/open-consumers.ts';
import { openTopics } from '../broker/open-topics.ts';
import { partitionOfRecord } from '../broker/partition-of-record.ts';
import { serviceTopics, type TopicSettings } from '../broker/topic-settings.ts';
import { asBrokerError } from '../broker/unavailable.ts';
import type { Sql } from '../postgres/sql.ts';
import { sleep } from '../process/clock.ts';
import { newUuid } from '../process/ids.ts';
import { startMember } from './group-member.ts';
import { forgetMembers, openGroup } from './group-table.ts';
import { offsetAfter, readBatch } from './log-reader.ts';
import {
  addPartitions,
  appendRecords,
  createTopic,
  findOffset,
  findSchema,
  findTopic,
  forgetOldest,
  type PlacedRecord,
  readRanges,
  registerSchema,
} from './log-table.ts';
import { type Notices, openNotices } from './notices.ts';
import { RecentRows } from './recent-rows.ts';

type EmbeddedLogOptions = {
  /** A migrated database; the caller closes it. */
  sql: Sql;
  log?: Log;
  topics?: readonly TopicSettings[];
  /** How long a dead member keeps its partitions. */
  sessionMs?: Millis;
  /** No other process can be alive: whatever members of earlier processes hold is free at once. */
  soleProcess?: boolean;
};

/** Deletes records only through `forget`. */
type EmbeddedLog = Broker & { readonly forget: Forget };

type OpenTopic = {
  id: number;
  name: string;
  /** As far as this process has heard. */
  partitions: number;
  schemaId: number;
  codec: Codec;
  schemas: WriterSchemas;
  commits: GroupCommit<PlacedRecord>;
  recent: RecentRows;
};

const defaultPartitions = 4;
const defaultSessionMs: Millis = 6_000;
const producePatienceMs: Millis = 9_000;
const healthPatienceMs: Millis = 2_000;

export function openEmbeddedLog(options: EmbeddedLogOptions): EmbeddedLog {
  const { sql } = options;
  const log = options.log ?? silentLog;
  /** Marks the notices of this process's appends. */
  const author = newUuid();
  const { names, topic, held, opened } = openTopics(options.topics ?? serviceTopics(defaultPartitions), (wanted) =>
    openTopic({ sql, log, append }, wanted).catch(rethrow),
  );
  const consumers = openConsumers();
  let notices: Promise<Notices> | null = null;
  let forgotten: Promise<void> | null = null;

  function listening(): Promise<Notices> {
    notices ??= openNotices(sql, author).catch((error: unknown) => {
      notices = null;
      throw asBrokerError(error);
    });
    return notices;
  }

  /** Appends, keeps the rows for the readers of this process, and wakes them; also if it fails, as the rows may be in the log. */
  async function append(topicId: number, recent: RecentRows, records: readonly PlacedRecord[]): Promise<Ends> {
    try {
      const { ends, rows } = await appendRecords(sql, topicId, records, author);
      for (const { partition, row } of rows) recent.add(partition, row);
      return ends;
    } finally {
      const partitions = new Set(records.map(({ partition }) => partition));
      notices?.then(
        (bells) => bells.appended(topicId, partitions),
        () => {},
      );
    }
  }

  /** Removes the members of earlier processes, once, before our first one joins. */
  function forgetEarlier(): Promise<void> {
    forgotten ??= (options.soleProcess === true ? forgetMembers(sql) : Promise.resolve()).catch((error: unknown) => {
      forgotten = null;
      throw asBrokerError(error);
    });
    return forgotten;
  }

  /** Notes how many partitions the topic has now. */
  async function count(known: OpenTopic): Promise<number> {
    known.partitions = (await findTopic(sql, known.name).catch(rethrow))?.partitions ?? known.partitions;
    return known.partitions;
  }

  return {
    async prepare() {
      for (const name of names) await topic(name);
    },
    async partitions(name) {
      return count(await topic(name));
    },
    async addPartitions(name, partitions) {
      const grown = await topic(name);
      await addPartitions(sql, grown.id, partitions).catch(rethrow);
      await count(grown);
    },
    async partitionOf(name, key) {
      return partitionOfKey(key, (await topic(name)).partitions);
    },
    async produce(name, records) {
      const into = await topic(name);
      // Another process may have added the partition.
      if (records.some(({ partition }) => partition !== undefined && partition >= into.partitions)) await count(into);
      return into.commits.append(records.map((record) => place(into, record)));
    },
    async consume({ topic: name, group: groupName }, handlers) {
      const from = await topic(name);
      await forgetEarlier();
      const tools = { sql, notices: await listening(), log, handlers };
      const group = await openGroup(sql, from.id, groupName).catch(rethrow);
      return consumers.keep(startMember(tools, from, group, options.sessionMs ?? defaultSessionMs));
    },
    async watermarks(name) {
      const found = await (held(name) ?? findTopic(sql, name).catch(rethrow));
      return found === null ? [] : readRanges(sql, found.id).catch(rethrow);
    },
    async offsetAt(name, partition, time) {
      return findOffset(sql, (await topic(name)).id, partition, time).catch(rethrow);
    },
    async *read(name, partition, from, to) {
      const source = await topic(name);
      const never = new AbortController().signal;
      for (let offset = from; offset < to; ) {
        const batch = await readBatch(sql, source, partition, offset, never).catch(rethrow);
        if (batch.records.length === 0) throw new OffsetOutOfRange(partition, offset);
        offset = offsetAfter(batch, offset);
        yield { ...batch, records: batch.records.filter((record) => record.offset < to) };
      }
    },
    writerSchema: (id) => findSchema(sql, id).catch(rethrow),
    async healthy() {
      const late = new AbortController();
      const answered = sql.query('select 1').then(
        () => true,
        () => false,
      );
      const healthy = await Promise.race([answered, sleep(healthPatienceMs, late.signal).then(() => false)]);
      late.abort();
      return healthy;
    },
    async close() {
      await consumers.stopAll();
      for (const { commits } of await opened()) await commits.close();
      const listener = await notices?.catch(() => null);
      await listener?.close();
    },
    async forget(name, partition, what) {
      return forgetOldest(sql, (await topic(name)).id, partition, what).catch(rethrow);
    },
  };
}

type TopicTools = {
  sql: Sql;
  log: Log;
  append(topicId: number, recent: RecentRows, records: readonly PlacedRecord[]): Promise<Ends>;
};

async function openTopic({ sql, log, append }: TopicTools, settings: TopicSettings): Promise<OpenTopic> {
  await createTopic(sql, settings.name, settings.partitions);
  const row = await findTopic(sql, settings.name);
  if (row === null) throw new Error(`topic ${settings.name} was not made`);
  const schemaId = await registerSchema(sql, `${settings.name}-value`, settings.schema);
  const codec = openCodec(settings.schema, settings.longestString);
  const schemas = openWriterSchemas(codec, (id) => findSchema(sql, id), log);
  schemas.note(schemaId, settings.schema);
  const recent = new RecentRows();
  const commits = openGroupCommit<PlacedRecord>({
    flush: (items) => append(row.id, recent, items).catch(rethrow),
    sizeOf: (item) => item.value.length + item.key.length,
    partitionOf: (item) => item.partition,
    maxPartitionBytes: 4 * 1024 * 1024,
    maxItems: 20_000,
    patienceMs: producePatienceMs,
  });
  return { ...row, name: settings.name, schemaId, codec, schemas, commits, recent };
}

function place(topic: OpenTopic, record: OutgoingRecord): PlacedRecord {
  return {
    partition: partitionOfRecord(record, topic),
    key: record.key,
    headers: record.headers ?? {},
    value: topic.codec.encode(topic.schemaId, record.value),
  };
}

function rethrow(error: unknown): never {
  throw asBrokerError(error);
}
