// Orders to rebuild a log whose records take long to read: longer than a flush may take, or than the collector leaves objects that no commit names.
// The order is carried out once, what it publishes is there, and the partition continues.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { collectOrphans, defaultGrace } from '../../../projectors/jobs/collector.ts';
import { segmentFiles } from '../../../projectors/live/game-plan.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import { committedBytes } from '../../../projectors/worker/committed-bytes.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { Fenced, longestFlush, type PartitionTools } from '../../../projectors/worker/partition-tools.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { delta, quote, seconds, uuid } from '../../support/builders/live-records.ts';
import { MemoryLiveCatalog } from '../../support/fakes/memory-live-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';

const recordsOfBatch = 100;

function delivered(offset: number, at: number, value: QuotesRecord): DeliveredRecord {
  const [key, bytes] = [uuid, Buffer.from('{}')];
  return { offset, timestamp: seconds(at), key, headers: {}, value, bytes, undecodable: null };
}

function price(offset: number, at: number): DeliveredRecord {
  return delivered(offset, at, delta('BOOK', [quote('home', 100 + (offset % 2))], { observedAt: at, index: offset }));
}

/** One row in each record, 512 in each segment; then the order to rebuild them, and one more record. */
const quotes = Array.from({ length: 2_600 }, (_, index) => price(index, index * 2));
const ordered = quotes.length * 2;
const game = { uuid, gameId: 'NFL_DET_PHI_20251116', league: 'NFL' };
const order = delivered(quotes.length, ordered, {
  ...blankRecord(game, 'service', seconds(ordered)),
  rebuild: { generation: 2 },
});
const last = price(order.offset + 1, ordered + 2);
const records = [...quotes, order, last];
const whole = { topic: 'sds.quotes.v1', partition: 0, highWatermark: records.length };

/** A world of one partition whose log takes so long to read behind the first batch, in which a collector runs and each put takes no time. */
class World {
  now: Micros = seconds(ordered) + microsPerMinute;
  readonly catalog = new MemoryLiveCatalog();
  readonly store = openMemoryStore(() => this.now);
  scans = 0;
  minutesOfBatch = 0;
  /** Called behind each batch that was read. */
  onRead = (_from: number): void => {};

  open(): Promise<Partition> {
    const tools: PartitionTools = {
      checkpoints: this.catalog,
      objects: this.store,
      parquet: parquetWriter,
      clock: {
        now: () => this.now,
        sleep: async (ms) => {
          this.now += ms * 1_000;
        },
      },
      crash: () => {},
      log: silentLog,
      ownerId: 'test',
      records: {
        watermarks: async () => [{ partition: 0, low: 0, high: records.length }],
        offsetAt: async () => 0,
        read: (_topic, _partition, from, to) => this.#read(from, to),
      },
      flushEveryMs: 100,
      snapshotEvery: { records: 1e9, ms: 1e12 },
    };
    return Partition.open(liveProjector(this.catalog), tools, 0);
  }

  async *#read(from: number, to: number) {
    this.scans += 1;
    for (let at = from; at < to; at += recordsOfBatch) {
      if (at > from) this.now += this.minutesOfBatch * microsPerMinute;
      await this.collect();
      this.onRead(at);
      yield { ...whole, records: records.slice(at, Math.min(to, at + recordsOfBatch)) };
    }
  }

  collect(): Promise<number> {
    const known = async (keys: readonly string[]) => new Set(keys.filter((key) => this.catalog.objects.has(key)));
    const tools = {
      catalog: { ...noCollectable, knownObjects: known },
      live: { now: async () => this.now },
      objects: this.store,
      crash: () => {},
    };
    return collectOrphans(tools, defaultGrace.orphan);
  }

  async log(): Promise<ServedLog> {
    const log = await this.catalog.servedLog(uuid);
    assert.ok(log !== null);
    return log;
  }
}

const noCollectable = {
  collectable: async () => [],
  forgetObjects: async () => {},
  releaseSettledBoards: async () => 0,
};

/** Folds what is not committed yet: one owner the quotes, the next the order and what is behind it. */
async function foldAll(world: World): Promise<void> {
  for (const end of [quotes.length, records.length]) {
    if (world.catalog.nextOffset >= end) continue;
    const partition = await world.open();
    await partition.handle({ ...whole, records: records.slice(partition.readFrom, end) });
    await partition.close();
  }
}

/** Folds all while the owner is hindered in the middle of its order: it is fenced and publishes nothing, and the next owner carries the order out. */
async function fencedOnce(world: World, hinder: () => void): Promise<void> {
  world.onRead = (at) => {
    if (at === 1_500) hinder();
  };
  await assert.rejects(foldAll(world), Fenced);
  assert.equal((await world.log()).generation, 1);
  world.onRead = () => {};
  await foldAll(world);
  assert.deepEqual([world.catalog.nextOffset, (await contentOf(world)).generation], [records.length, 2]);
}

/** What a log says, whichever objects hold it. */
async function contentOf(world: World) {
  const log = await world.log();
  const files = segmentFiles(log);
  for (const file of files) await committedBytes(world.store, file);
  const closed = log.closed.map(({ key: _, ...segment }) => segment);
  return { generation: log.generation, rows: log.rows, closed, tail: log.tail?.rows };
}

describe('an order to rebuild a log', () => {
  for (const minutesOfBatch of [2, 14, 24]) {
    it(`is carried out where its log takes ${(quotes.length / recordsOfBatch) * minutesOfBatch} minutes to read`, async () => {
      const [quick, world] = [new World(), new World()];
      await foldAll(quick);
      world.minutesOfBatch = minutesOfBatch;
      await foldAll(world);
      assert.deepEqual([world.catalog.nextOffset, world.scans], [records.length, 1]);
      const content = await contentOf(world);
      assert.deepEqual([content.generation, content.closed.length > 3], [2, true]);
      assert.deepEqual(content, await contentOf(quick));
      assert.equal(world.catalog.foldDigest, quick.catalog.foldDigest);
      // Copies that were put before are orphans: they go, and nothing that is published goes with them.
      world.now += 2 * defaultGrace.orphan;
      assert.ok((await world.collect()) > 0);
      assert.deepEqual(await contentOf(world), content);
    });
  }

  it('leaves the published log alone when its owner is replaced meanwhile, and the next owner carries it out', async () => {
    const world = new World();
    world.minutesOfBatch = 14;
    await fencedOnce(world, () => {
      world.catalog.ownerEpoch += 1;
    });
  });

  it('is given up when no batch comes for so long that its files may be gone, and carried out again', async () => {
    const world = new World();
    await fencedOnce(world, () => {
      world.now += longestFlush + 1;
    });
  });

  it('is given up when a file that it wrote is lost before its commit', async () => {
    const world = new World();
    world.minutesOfBatch = 14;
    const { get } = world.store;
    world.store.get = async (key, part) => (key.startsWith(`segments/${uuid}/2/`) ? null : get(key, part));
    await assert.rejects(foldAll(world), Fenced);
    assert.equal((await world.log()).generation, 1);
    assert.equal(world.catalog.halted, null);
  });
});
