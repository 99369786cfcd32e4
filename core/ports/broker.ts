// The durable log: topics of partitions of records in order. Values are typed records; how they are encoded (Avro, with or without a
// registry) is the driver's business. Delivery is at least once; who may commit is decided by the fence in the catalog, never here.
import type { Micros } from '../units.ts';

/** Goes to the partition of its key, or to `partition` where it names one. */
export type OutgoingRecord = {
  key: string;
  value: unknown;
  headers?: Readonly<Record<string, string>>;
  partition?: number;
};

/** `value` is null when the bytes are no record of the topic's schema: `undecodable` says why, `bytes` is what was there. */
export type DeliveredRecord = {
  offset: number;
  timestamp: Micros;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  value: unknown;
  bytes: Uint8Array;
  undecodable: string | null;
  /**
   * Of a record that refers to an object: its bytes, as the record says they are, or null where they are not to be had. Set by a
   * projector's worker before it folds, never by the log.
   */
  attached?: Uint8Array | null;
};

export type DeliveredBatch = {
  topic: string;
  partition: number;
  records: readonly DeliveredRecord[];
  /**
   * The offset from which on no record is missing before these: where the log has offsets that hold none (Kafka's control records,
   * what was aborted or compacted), the driver vouches that there is no hole. Absent: the first record's own.
   */
  from?: number;
  /** Offset of the next record to be written to the partition, as far as known. */
  highWatermark: number;
};

/** By partition the offset behind records that were appended: they are below it, and perhaps not at once. */
export type Ends = ReadonlyMap<number, number>;

export type ConsumerHandlers = {
  /** This member now holds the partition. Returns the offset to read from: the catalog's, never the group's. */
  assigned(partition: number): Promise<number>;
  /** The partition is held no longer; what is in memory of it is worthless. */
  revoked(partition: number): void;
  /**
   * Records in offset order, the first at the offset asked for — or above it: a hole, which the caller judges.
   * The next batch of the partition comes when the promise resolves. A rejection stops the consumer; one with Halted, from here or from
   * `assigned`, ends this partition alone: nothing more of it is delivered until it is assigned anew.
   */
  batch(batch: DeliveredBatch): Promise<void>;
  /** The log holds no longer, or not yet, what is to be read next: the partition ends as if it were halted. Absent: the consumer stops. */
  outOfRange?(error: OffsetOutOfRange): void;
  /** The consumer has stopped and will not come back. */
  failed(error: Error): void;
};

export interface Consumer {
  /** Tells the broker how far the group is: a hint for lag displays, no truth. */
  acknowledge(partition: number, nextOffset: number): Promise<void>;
  /** Leaves the group and stops; resolves when no handler runs any more. */
  stop(): Promise<void>;
}

export interface Broker {
  /** Creates what is missing of the topics, their partitions and schemas. */
  prepare(): Promise<void>;
  /** Number of partitions of the topic. */
  partitions(topic: string): Promise<number>;
  /** The partition a key belongs to: the same answer in every process and in `produce`. */
  partitionOf(topic: string, key: string): Promise<number>;
  /**
   * Appends the records, each to the partition that it names or else to that of its key, in the given order within a partition.
   * A partition that the topic has not is a RangeError, and then none is appended.
   * Resolves only when all are durable: then each is in the log once, below the offsets that are answered. Rejects with BrokerUnavailable: then none, some or all may be in
   * the log, once each, and what is not may still appear there when a broker that stood still goes on; produced again, it is there twice.
   */
  produce(topic: string, records: readonly OutgoingRecord[]): Promise<Ends>;
  consume(options: { topic: string; group: string }, handlers: ConsumerHandlers): Promise<Consumer>;
  /** First offset held and next offset to be written, per partition. */
  watermarks(topic: string): Promise<readonly { partition: number; low: number; high: number }[]>;
  /** Reads [from, to) of one partition once, outside any group: for replays and rebuilds. */
  read(topic: string, partition: number, from: number, to: number): AsyncIterable<DeliveredBatch>;
  /** Gives up old records, where the log does not do that by itself (Kafka does, by the settings of its topics). */
  readonly forget?: Forget;
  /** Whether the broker answers now. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** A broker to those who only append, and do not ask where. */
export type Appender = { produce(topic: string, records: readonly OutgoingRecord[]): Promise<unknown> };

/** The oldest records of a partition: those appended before `before` (null: whenever) and below the offset `below`. */
export type Forgettable = { before: Micros | null; below: number };

/**
 * Gives up what is forgettable of the partition, oldest first, in one bounded step that happens whole or not at all; `more` says that
 * another step would find more. Whoever asks for what was given up is told OffsetOutOfRange. Safe in several processes at once.
 */
export type Forget = (topic: string, partition: number, what: Forgettable) => Promise<{ more: boolean }>;

/** The broker cannot take or give records now; worth trying again. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/**
 * A partition cannot go on without a person: a hole in its log, a state or a file that is not the committed one, a commit that the catalog will
 * never take. It is never skipped.
 */
export class Halted extends Error {
  override readonly name = 'Halted';
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** The partition no longer holds the offset that was asked for. Never answered by a silent jump. */
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
