// Drives a partition of any projector over its records while everything around it fails at random: puts, gets, commits,
// answers to commits, the process at any crash point, stopped owners that return, and snapshots that are missing or
// damaged when an owner asks for them. The seed decides every fault.
import assert from 'node:assert/strict';
import { BrokerUnavailable, type DeliveredRecord } from '../../../core/ports/broker.ts';
import type { CheckpointsCatalog, Snapshot } from '../../../core/ports/catalog/checkpoints.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { LogReader } from '../../../projectors/worker/kept-log.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { Fenced } from '../../../projectors/worker/partition-tools.ts';
import type { ProjectorKind } from '../../../projectors/worker/projector.ts';
import type { Random } from '../../oracle/random.ts';
import type { CommitFault } from './memory-live-catalog.ts';

/** How many faults of each kind happened so far. */
export type Met = { crashes: number; fenced: number; outages: number; damaged: number };

export type World = {
  seed: number;
  random: Random;
  /** Makes the projector of the next owner. */
  projector: () => ProjectorKind;
  /** The projector's catalog. */
  catalog: CheckpointsCatalog & { fault: () => CommitFault; readonly snapshot: Snapshot | null };
  store: ObjectStore;
  records: readonly DeliveredRecord[];
  met: Met;
};

class Killed extends Error {}

const oftenest = [0, 0.02, 0.1] as const;

/**
 * Reads all records and commits them. `halt` is tried now and then on a worker that has read `at` of them; it answers
 * true if that ended the worker.
 */
export async function driveFaulty(
  world: World,
  halt?: (worker: Partition, at: number) => Promise<boolean>,
): Promise<void> {
  const { seed, random, projector, catalog, store, records, met } = world;
  const rate = random.pick(oftenest);
  const fault = (): boolean => {
    const hit = random.chance(rate);
    if (hit) met.outages += 1;
    return hit;
  };
  // With a slow clock, restarted logs are flushed one by one, and an owner may end between two of them.
  const slow = random.pick([0, 0.3, 1]);
  let time: Micros = 0;
  const now = (): Micros => {
    if (random.chance(slow)) time += 2 * microsPerMinute;
    return time;
  };
  catalog.fault = () => (fault() ? random.pick<CommitFault>(['unavailable', 'lost-before', 'lost-after']) : 'none');
  const tools = () => ({
    checkpoints: catalog,
    objects: faulty(store, fault),
    parquet: parquetWriter,
    clock: { now, elapsed: () => 0, sleep: async () => {} },
    crash() {
      if (random.chance(rate / 3)) throw new Killed();
    },
    log: silentLog,
    ownerId: 'sim',
    flushEveryMs: 0,
    records: keptRecords(records, fault),
    snapshotEvery: { records: 1 + random.integer(40), ms: 1e12 },
  });
  const { topic } = projector();
  const batchOf = (batch: readonly DeliveredRecord[]) => {
    return { topic, partition: 0, records: batch, highWatermark: records.length };
  };

  const open = () => Partition.open(projector(), tools(), 0);
  type Worker = Awaited<ReturnType<typeof open>>;
  /** Damages some or all snapshots, the newest first. */
  const damageSnapshots = async (): Promise<void> => {
    const { snapshot } = catalog;
    for (const { key } of snapshot === null ? [] : [snapshot, ...snapshot.older]) {
      if (!random.chance(3 * rate)) return;
      const bytes = await store.get(key);
      await store.delete([key]);
      if (bytes !== null && random.chance(0.7)) await store.put(key, spoiled(bytes, random));
      met.damaged += 1;
    }
  };
  const reopen = async (): Promise<Worker> => {
    for (;;) {
      await damageSnapshots();
      try {
        return await open();
      } catch (error) {
        // An owner that cannot find out whether its commit succeeded gives up; the next owner reads the checkpoint.
        if (!(error instanceof Killed || error instanceof Fenced)) throw error;
      }
    }
  };
  const assertFenced = async (zombie: Worker): Promise<void> => {
    const before = zombie.committed;
    const batch = records.slice(zombie.readFrom, zombie.readFrom + 3);
    if (batch.length === 0) return;
    try {
      await zombie.handle(batchOf(batch));
      assert.equal(zombie.committed, before, 'an owner whose epoch is over commits nothing');
    } catch (error) {
      if (error instanceof Fenced) met.fenced += 1;
      else if (!(error instanceof Killed)) throw error;
    }
  };

  const zombies: Worker[] = [];
  let worker = await reopen();
  let at = worker.readFrom;
  const startOver = async (): Promise<void> => {
    worker = await reopen();
    at = worker.readFrom;
  };
  while (at < records.length || worker.committed < records.length) {
    const size = 1 + random.integer(12);
    try {
      await worker.handle(batchOf(records.slice(at, at + size)));
      at = Math.min(records.length, at + size);
      const again = random.chance(rate) ? zombies.at(-1) : undefined;
      if (again !== undefined) await assertFenced(again);
      if (random.chance(rate)) {
        zombies.push(worker);
        await startOver();
      }
    } catch (error) {
      // A worker that cannot know whether its commit succeeded gives up, as if it were killed.
      if (!(error instanceof Killed || error instanceof Fenced)) throw new Error(`seed ${seed}`, { cause: error });
      if (error instanceof Killed) met.crashes += 1;
      await startOver();
    }
    if (halt !== undefined && random.chance(rate) && (await halt(worker, at))) await startOver();
  }
}

/** Reads of the log apart from the consumer; they fail now and then, also half-way. */
function keptRecords(records: readonly DeliveredRecord[], fault: () => boolean): LogReader {
  const answering = <Answer>(answer: Answer): Answer => {
    if (fault()) throw new BrokerUnavailable('planned outage of the log');
    return answer;
  };
  return {
    watermarks: async () => answering([{ partition: 0, low: 0, high: records.length }]),
    offsetAt: async () => answering(0),
    async *read(topic, partition, from, to) {
      for (let at = from; at < to; at += 7) {
        const batch = records.slice(at, Math.min(to, at + 7));
        yield answering({ topic, partition, records: batch, highWatermark: records.length });
      }
    },
  };
}

/** Cut short, or with one bit flipped. */
function spoiled(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.integer(bytes.length);
  return random.chance(0.5) ? bytes.slice(0, at) : bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
}

function faulty(store: ObjectStore, fault: () => boolean): ObjectStore {
  return {
    ...store,
    async put(key, bytes) {
      if (fault()) throw new Error('planned outage of the store');
      await store.put(key, bytes);
      if (fault()) throw new Error('planned loss of an answer from the store');
    },
    async get(key, part) {
      if (fault()) throw new Error('planned outage of the store');
      return store.get(key, part);
    },
  };
}
