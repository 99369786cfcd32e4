// The durable log: topics, split into partitions of ordered records. Values are typed records; the driver decides how to encode them (Avro,
// with or without a registry). Delivery is at least once; the fence in the catalog decides who may commit, not the broker.
import type { Micros } from '../units.ts';

/** Goes to `partition` if given, otherwise to the partition of its key. */
export type OutgoingRecord = {
  key: string;
  value: unknown;
  headers?: Readonly<Record<string, string>>;
  partition?: number;
};

/** `value` is null if the bytes do not decode with the topic's schema: `undecodable` says why, `bytes` holds them. */
export type DeliveredRecord = {
  offset: number;
  timestamp: Micros;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  value: unknown;
  bytes: Uint8Array;
  undecodable: string | null;
  /** Set where it could not be decoded only because its schema is not known yet. */
  mayDecodeLater?: true;
  /**
   * The bytes of the object that the record refers to; null if they are missing or differ from what the record describes. A projector's
   * worker sets it before folding; the log never does.
   */
  attached?: Uint8Array | null;
  /**
   * The partition of the record's key, where that is another one than the record is in. A projector's worker sets it before folding; the log
   * never does.
   */
  belongsIn?: number;
};

export type DeliveredBatch = {
  topic: string;
  partition: number;
  records: readonly DeliveredRecord[];
  /**
   * No record is missing from this offset up to the first record here. Needed where the log has offsets without records (Kafka's control
   * records, aborted or compacted ones): the driver vouches that there is no hole. Absent: the first record's own offset.
   */
  from?: number;
  /** Offset of the next record to be written to the partition, if known. */
  highWatermark: number;
};

/** Per partition, the offset after the appended records: they are below it, but not necessarily directly below. */
export type Ends = ReadonlyMap<number, number>;

export type ConsumerHandlers = {
  /** This member now holds the partition. Returns the offset to read from, which comes from the catalog, never from the group. */
  assigned(partition: number): Promise<number>;
  /** This member has lost the partition; discard all state of it. */
  revoked(partition: number): void;
  /**
   * Records in offset order, starting at the requested offset. A higher first offset is a hole; the caller decides what to do. The next
   * batch of the partition comes when the promise resolves. A rejection stops the consumer; a Halted from here or from `assigned` ends only
   * this partition: it gets no more batches until it is assigned again.
   */
  batch(batch: DeliveredBatch): Promise<void>;
  /** The log no longer or not yet holds the next record: the partition ends as if halted. Absent: the consumer stops. */
  outOfRange?(error: OffsetOutOfRange): void;
  /** The consumer has stopped and will not come back. */
  failed(error: Error): void;
};

export interface Consumer {
  /** Reports the group's progress to the broker: only for lag displays, never read back. */
  acknowledge(partition: number, nextOffset: number): Promise<void>;
  /** Leaves the group and stops; resolves when no handler is running. */
  stop(): Promise<void>;
}

export interface Broker {
  /** Creates missing topics, partitions and schemas. */
  prepare(): Promise<void>;
  /** Number of partitions of the topic now: other processes may add some. */
  partitions(topic: string): Promise<number>;
  /** Adds partitions to the topic until it has `partitions`; one that has more keeps them. Consumers get the new ones by themselves. */
  addPartitions(topic: string, partitions: number): Promise<void>;
  /** The partition of a key: the same in every process and in `produce`, as long as the topic keeps its number of partitions. */
  partitionOf(topic: string, key: string): Promise<number>;
  /**
   * Appends the records, each to its `partition` or else to that of its key, in the given order within a partition. Throws a RangeError if
   * a topic lacks a partition; nothing is appended then. Resolves once all are durable: each is in the log once, below the returned
   * offsets. Rejects with BrokerUnavailable: none, some or all are in the log, once each, and the others may still appear when a stalled
   * broker resumes; producing them again can duplicate them.
   */
  produce(topic: string, records: readonly OutgoingRecord[]): Promise<Ends>;
  consume(options: { topic: string; group: string }, handlers: ConsumerHandlers): Promise<Consumer>;
  /** First offset held and next offset to be written, per partition. Creates nothing: a topic that does not exist has none. */
  watermarks(topic: string): Promise<readonly { partition: number; low: number; high: number }[]>;
  /** The first offset held of records appended at `time` or later; where there are none, the next one to be written. */
  offsetAt(topic: string, partition: number, time: Micros): Promise<number>;
  /** Reads [from, to) of one partition once, outside any group: for replays and rebuilds. */
  read(topic: string, partition: number, from: number, to: number): AsyncIterable<DeliveredBatch>;
  /** The schema with which bytes of this number are written, as JSON; null: there is none. Rejects while the registry does not answer. */
  writerSchema(id: number): Promise<string | null>;
  /** Deletes old records. Absent if the log does so by itself, as Kafka does by its topics' settings. */
  readonly forget?: Forget;
  /** Whether the broker answers now. */
  healthy(): Promise<boolean>;
  /** Whether the registry of the schemas answers now, and knows ours. Absent: the log needs none. */
  registryAnswers?(): Promise<boolean>;
  close(): Promise<void>;
}

/** A broker for callers that only append and do not need the offsets. */
export type Appender = { produce(topic: string, records: readonly OutgoingRecord[]): Promise<unknown> };

/** The oldest records of a partition: those appended before `before` (null: at any time) and below the offset `below`. */
export type Forgettable = { before: Micros | null; below: number };

/**
 * Deletes what may be deleted of the partition, oldest first, in one bounded atomic step; `more` says whether another step would find more.
 * Reading a deleted offset fails with OffsetOutOfRange. Several processes may call it at once.
 */
export type Forget = (topic: string, partition: number, what: Forgettable) => Promise<{ more: boolean }>;

/** The broker is temporarily unavailable; retry. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/**
 * The partition cannot continue without human help: there is a hole in its log, its state or a file differs from the committed one, or the
 * catalog will never accept the commit. It is never skipped.
 */
export class Halted extends Error {
  override readonly name = 'Halted';
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** The partition no longer holds the requested offset. The reader never skips ahead silently. */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
  readonly partition: number;
  readonly wanted: number;
  constructor(partition: number, wanted: number) {
    super(`partition ${partition} does not hold offset ${wanted}`);
    this.partition = partition;
    this.wanted = wanted;
  }
}
