// The worker of one partition with unusual times and offsets: flushes so slow that their objects may have been collected, flushes without a
// waiting caller, offsets without a record, commits of only a snapshot whose answer is lost. projectors/live/live-projector.sim tests the
// usual faults at random.

import assert from 'node:assert/strict';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { type DeliveredRecord, Halted } from '../../../core/ports/broker.ts';
import { RawFileDamaged } from '../../../core/ports/raw-archive.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sleep } from '../../../platform/process/clock.ts';
import { defaultGrace } from '../../../projectors/jobs/collector.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import type { LogReader } from '../../../projectors/worker/kept-log.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { Fenced, longestFlush, type PartitionTools } from '../../../projectors/worker/partition-tools.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { heartbeat, image, quote, uuid } from '../../support/builders/live-records.ts';
import { MemoryLiveCatalog } from '../../support/fakes/memory-live-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { until } from '../../support/services/until.ts';

/** A world of one partition, in which sleeping moves the clock. */
class World {
  now: Micros = 1_000 * microsPerMinute;
  readonly catalog = new MemoryLiveCatalog();
  readonly store = openMemoryStore(() => this.now);
  onPut = (): void => {};
  put = (key: string, bytes: Uint8Array): Promise<void> => this.store.put(key, bytes);
  parquet = parquetWriter;
  realSleep = false;
  snapshotEvery: { records: number; ms: number; bytes?: number } = { records: 1_000, ms: 1e12 };
  /** The log outside the consumer group. */
  records: LogReader | null = null;
  /** Awaited by each sleep. */
  onSleep = async (): Promise<void> => {};

  open(givenUp?: AbortSignal) {
    const tools: PartitionTools = {
      checkpoints: this.catalog,
      objects: {
        ...this.store,
        put: async (key, bytes) => {
          await this.put(key, bytes);
          this.onPut();
        },
      },
      parquet: this.parquet,
      clock: {
        now: () => this.now,
        sleep: async (ms, signal) => {
          if (this.realSleep) await sleep(ms, signal);
          if (ms > 0) await this.onSleep();
          this.now += ms * 1_000;
        },
      },
      crash: () => {},
      log: silentLog,
      ownerId: 'test',
      flushEveryMs: 100,
      snapshotEvery: this.snapshotEvery,
      ...(this.records === null ? {} : { records: this.records }),
    };
    return Partition.open(liveProjector(this.catalog), tools, 0, givenUp);
  }
}

/** Records with these offsets; by their seed, the last record of each batch here is worth a commit. */
function recordsAt(...offsets: number[]): DeliveredRecord[] {
  return generateRecords(9, offsets.length).map(({ value, timestamp }, index) => ({
    offset: offsets[index] as number,
    timestamp: Number(timestamp),
    key: value.game_uuid,
    headers: {},
    value,
    bytes: new Uint8Array(),
    undecodable: null,
  }));
}

/** Enough records that there are rows to publish. */
const forty = Array.from({ length: 40 }, (_, offset) => offset);

const batchOf = (records: DeliveredRecord[], more: { from?: number; highWatermark?: number } = {}) => ({
  topic: 'sds.quotes.v1',
  partition: 0,
  records,
  highWatermark: (records.at(-1)?.offset ?? 0) + 1,
  ...more,
});

describe('a flush that takes long', () => {
  it('is not committed when its objects may be orphans by now', async () => {
    const world = new World();
    world.onPut = () => {
      world.now += longestFlush + 1;
    };
    const partition = await world.open();
    await assert.rejects(partition.handle(batchOf(recordsAt(...forty))), Fenced);
    assert.equal(world.catalog.commits, 0);
    assert.ok(defaultGrace.orphan >= 2 * longestFlush);
  });

  it('is given up when the catalog is away for so long, and redone under other keys', async () => {
    const world = new World();
    world.catalog.fault = () => 'unavailable';
    const partition = await world.open();
    await assert.rejects(partition.handle(batchOf(recordsAt(...forty))), Fenced);
    const before = await keysOf(world);
    world.catalog.fault = () => 'none';
    const again = await world.open();
    await again.handle(batchOf(recordsAt(...forty)));
    assert.ok(again.committed > 0);
    const named = [...world.catalog.objects.keys()];
    assert.ok(named.length > 0 && named.every((key) => !before.includes(key)));
  });
});

describe('a flush of which one file cannot be encoded', () => {
  it('leaves no object and no commit, and the next owner folds its records', async () => {
    const world = new World();
    let encoded = 0;
    world.parquet = {
      ...parquetWriter,
      *encoding(...file) {
        encoded += 1;
        if (encoded === 2) throw new Error('no such column');
        return yield* parquetWriter.encoding(...file);
      },
    };
    const partition = await world.open();
    await assert.rejects(partition.handle(batchOf(recordsAt(...forty))), /no such column/);
    assert.deepEqual([encoded, await keysOf(world), world.catalog.commits], [2, [], 0]);
    world.parquet = parquetWriter;
    const again = await world.open();
    assert.equal(again.committed, 0);
    await again.handle(batchOf(recordsAt(...forty)));
    assert.ok(again.committed > 0);
  });
});

describe('offsets without a record', () => {
  it('are passed where the driver vouches for what lies before the records', async () => {
    const world = new World();
    const partition = await world.open();
    for (const batch of [batchOf(recordsAt(0, 1), { from: 0 }), batchOf(recordsAt(4, 7), { from: 2 })]) {
      world.now += 200_000;
      await partition.handle(batch);
    }
    assert.equal(partition.committed, 8);
  });

  it('halt the partition where it does not, and where records are missing before it', async () => {
    for (const more of [{}, { from: 3 }]) {
      const partition = await new World().open();
      await partition.handle(batchOf(recordsAt(0, 1)));
      await assert.rejects(partition.handle(batchOf(recordsAt(4, 5), more)), Halted);
    }
  });
});

describe('the pause between two flushes', () => {
  it('folds what arrives meanwhile, and ends with one flush of it all', async () => {
    const world = new World();
    const sleepers: (() => void)[] = [];
    world.onSleep = () => new Promise((resolve) => void sleepers.push(resolve));
    world.onPut = () => {
      world.now += 10_000;
    };
    const partition = await world.open();
    const records = recordsAt(...forty);
    await partition.handle(batchOf(records.slice(0, 10)));
    const committed = new Set([partition.committed]);
    for (const [from, to] of [
      [10, 20],
      [20, records.length],
    ]) {
      await partition.handle(batchOf(records.slice(from, to)));
      committed.add(partition.committed);
    }
    sleepers.shift()?.();
    await until('the pause is over', () => committed.add(partition.committed).size > 1);
    assert.deepEqual([...committed], [10, records.length]);
  });
});

describe('a backlog', () => {
  const partsOf = (timestamp: number) =>
    [0, 6, 12, 18, 24].map((from) =>
      recordsAt(...forty)
        .slice(from, from + 6)
        .map((record) => ({ ...record, timestamp })),
    );
  /** Records that have waited for long. */
  const parts = partsOf(0);
  const open = async () => {
    const world = new World();
    const sleepers: (() => void)[] = [];
    world.onSleep = () => new Promise((resolve) => void sleepers.push(resolve));
    return { world, sleepers, partition: await world.open() };
  };

  it('is flushed seldom while a lot of it is left, and else as ever', async () => {
    const { world, sleepers, partition } = await open();
    const committed: number[] = [];
    for (const [index, part] of parts.entries()) {
      await partition.handle(batchOf(part, { highWatermark: index < 3 ? 2_000 : 900 }));
      committed.push(partition.committed);
      world.now += 200_000;
    }
    assert.deepEqual(committed, [6, 6, 6, 24, 30]);
    for (const wake of sleepers) wake();
    await partition.close();
    assert.equal(world.catalog.commits, 4, 'the last commit is that of the snapshot');
  });

  it('is flushed as ever where what is folded came a moment ago', async () => {
    const { world, sleepers, partition } = await open();
    const committed: number[] = [];
    for (const part of partsOf(world.now - 500_000)) {
      await partition.handle(batchOf(part, { highWatermark: 2_000 }));
      committed.push(partition.committed);
      world.now += 200_000;
    }
    assert.deepEqual(committed, [6, 12, 18, 24, 30]);
    for (const wake of sleepers) wake();
    await partition.close();
  });

  it('is flushed when nothing more comes of it', async () => {
    const { world, sleepers, partition } = await open();
    for (const part of parts.slice(0, 2)) await partition.handle(batchOf(part, { highWatermark: 2_000 }));
    assert.equal(partition.committed, 6);
    sleepers[0]?.();
    while (partition.committed < 12) await new Promise(setImmediate);
    assert.equal(world.catalog.commits, 2);
  });

  it('is flushed when a lot of it is folded', async () => {
    const { partition } = await open();
    const large = (records: readonly DeliveredRecord[]) =>
      records.map((record) => ({ ...record, bytes: new Uint8Array(370_000) }));
    for (const part of parts.slice(0, 2)) await partition.handle(batchOf(large(part), { highWatermark: 2_000 }));
    assert.equal(partition.committed, 6);
    await partition.handle(batchOf(large(parts[2] ?? []), { highWatermark: 2_000 }));
    assert.equal(partition.committed, 18);
  });
});

describe('a halt', () => {
  it('is noted with its remedy while its owner has the partition, and taken away by the next claim', async () => {
    const world = new World();
    const partition = await world.open();
    await partition.handle(batchOf(recordsAt(0, 1)));
    await assert.rejects(partition.handle(batchOf(recordsAt(4, 5))), Halted);
    assert.match(
      world.catalog.halted ?? '',
      /^gap in partition 0: expected offset 2, .* 4; bring back the records from/,
    );
    await assert.rejects(partition.handle(batchOf(recordsAt(2, 3))), Halted, 'it stays halted');
    const next = await world.open();
    assert.equal(world.catalog.halted, null);
    await partition.halt(new Halted('of an owner that is no more', ''));
    assert.equal(world.catalog.halted, null);
    await next.handle(batchOf(recordsAt(0, 1, 2, 3)));
    assert.equal(next.committed, 4);
  });

  it('is what a hole in the log ends in that has to stand in for every snapshot', async () => {
    const world = new World();
    const first = await world.open();
    await first.handle(batchOf(recordsAt(...forty)));
    await first.close();
    const { key } = world.catalog.snapshot!;
    const kept = (await world.store.get(key)) as Uint8Array;
    await world.store.delete([key]);
    const next = await world.open();
    assert.equal(next.readFrom, 0);
    await assert.rejects(next.handle(batchOf(recordsAt(...forty).slice(5))), Halted);
    assert.match(
      world.catalog.halted ?? '',
      /; bring back states\/live\/p0.* as it was; or bring back the records from/,
    );
    await world.store.put(key, kept);
    assert.equal((await world.open()).readFrom, first.committed, 'the snapshot is tried again');
  });
});

describe('a snapshot that cannot be used', () => {
  const spoilers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | null>> = {
    absent: () => null,
    'of other bytes': () => new Uint8Array([1, 2, 3]),
    'cut short': (bytes) => bytes.slice(0, bytes.length / 2),
    'of another form': () => zstdCompressSync('{"games":7}'),
    'of another state': () =>
      zstdCompressSync(JSON.stringify(runToEnd(liveProjector(new MemoryLiveCatalog()).open(0, null).saving()))),
  };
  /** Three snapshots, at the offsets 10, 20 and 30, and a checkpoint after all records. */
  async function withSnapshots() {
    const world = new World();
    const records = recordsAt(...forty);
    for (const to of [10, 20, 30]) {
      const owner = await world.open();
      await owner.handle(batchOf(records.slice(to - 10, to)));
      await owner.close();
    }
    await (await world.open()).handle(batchOf(records.slice(30)));
    assert.equal(world.catalog.nextOffset, records.length);
    const { key, offset, older } = world.catalog.snapshot!;
    assert.deepEqual([offset, ...older.map((each) => each.offset)], [30, 20, 10]);
    return { world, records, keys: [key, ...older.map((each) => each.key)] };
  }
  async function spoil(world: World, key: string, how: (bytes: Uint8Array) => Uint8Array | null): Promise<void> {
    const spoiled = how((await world.store.get(key)) as Uint8Array);
    await world.store.delete([key]);
    if (spoiled !== null) await world.store.put(key, spoiled);
  }
  const logsOf = ({ catalog }: World) =>
    [...catalog.logs.values()].map(({ gameUuid, generation, rows }) => [gameUuid, generation, rows]);

  for (const [how, spoiler] of Object.entries(spoilers))
    it(`costs time alone where it is ${how}: an older one is folded on, or the log`, async () => {
      for (const [spoiled, from] of [
        [1, 20],
        [2, 10],
        [3, 0],
      ] as const) {
        const { world, records, keys } = await withSnapshots();
        for (const key of keys.slice(0, spoiled)) await spoil(world, key, spoiler);
        const [logs, { foldDigest }] = [logsOf(world), world.catalog];
        const next = await world.open();
        assert.deepEqual([next.readFrom, world.catalog.halted], [from, null]);
        await next.handle(batchOf(records.slice(from)));
        assert.deepEqual([logsOf(world), world.catalog.foldDigest], [logs, foldDigest]);
        const { offset, older } = world.catalog.snapshot!;
        assert.deepEqual([offset, older.map(({ key }) => key)], [records.length, keys.slice(spoiled).slice(0, 2)]);
        for (const key of keys) assert.equal(world.catalog.objects.get(key), Number(keys.indexOf(key) >= spoiled));
        assert.equal((await world.open()).readFrom, records.length, 'nothing is folded twice for it');
      }
    });

  it('is read again where its bytes came damaged', async () => {
    const { world, keys } = await withSnapshots();
    const { get } = world.store;
    let reads = 0;
    world.store.get = async (key, part) => {
      const bytes = await get(key, part);
      if (key !== keys[0] || bytes === null) return bytes;
      reads += 1;
      return reads < 3 ? bytes.slice(1) : bytes;
    };
    assert.equal((await world.open()).readFrom, 30);
  });

  it('leaves a game closed whose close is committed, and starts over what another release has made', async () => {
    const { world, records, keys } = await withSnapshots();
    for (const key of keys) await spoil(world, key, () => null);
    // The log gives another state than the committed one, as if other rules had made it.
    world.catalog.foldDigest = 'ab'.repeat(32);
    const closed = [...world.catalog.logs.keys()][0]!;
    world.catalog.closed.set(closed, {} as never);
    const before = logsOf(world);
    const next = await world.open();
    await next.handle(batchOf(records));
    assert.deepEqual(
      logsOf(world),
      before.map(([uuid, generation, rows]) => [uuid, Number(generation) + (uuid === closed ? 0 : 1), rows]),
    );
    const { foldDigest, nextOffset, snapshot } = world.catalog;
    const saved = zstdDecompressSync((await world.store.get(snapshot!.key)) as Uint8Array).toString();
    assert.deepEqual((JSON.parse(saved) as { closed: string[] }).closed, [closed]);
    const last = await world.open();
    assert.equal(last.readFrom, nextOffset);
    await last.close();
    assert.deepEqual([world.catalog.foldDigest, world.catalog.halted], [foldDigest, null]);
  });
});

describe('a committed tail that is not as it was', () => {
  for (const [how, why, spoil] of [
    ['absent', /is committed and is absent/, () => null],
    ['cut short', /is committed and is cut short/, (bytes: Uint8Array) => bytes.slice(0, 8)],
    ['damaged', /does not hold the bytes/, (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)],
  ] as const)
    it(`halts the partition where it is ${how}, and is gone on from when it is back`, async () => {
      const world = new World();
      const records = recordsAt(...forty);
      await (await world.open()).handle(batchOf(records.slice(0, 20)));
      const kept = new Map<string, Uint8Array>();
      for (const key of await keysOf(world)) kept.set(key, (await world.store.get(key)) as Uint8Array);
      await world.store.delete([...kept.keys()]);
      for (const [key, bytes] of kept) {
        const spoiled = spoil(bytes);
        if (spoiled !== null) await world.store.put(key, spoiled);
      }
      const next = await world.open();
      let waits = 0;
      world.onSleep = async () => {
        waits += 1;
        assert.ok(waits < 20, 'it never waits');
      };
      await assert.rejects(
        next.handle(batchOf(records)),
        (error) => error instanceof Halted && why.test(error.message),
      );
      assert.match(
        world.catalog.halted ?? '',
        /^object flushes\/.*; bring back flushes\/.*, then restart the projectors$/,
      );
      assert.equal(world.catalog.nextOffset, 20);
      await world.store.delete([...kept.keys()]);
      for (const [key, bytes] of kept) await world.store.put(key, bytes);
      const last = await world.open();
      await last.handle(batchOf(records));
      assert.deepEqual([last.committed, world.catalog.halted], [records.length, null]);
    });

  it('is read again where it came with other bytes', async () => {
    const world = new World();
    const records = recordsAt(...forty);
    await (await world.open()).handle(batchOf(records.slice(0, 20)));
    const { get } = world.store;
    let wrong = 2;
    world.store.get = async (key, part) => {
      const bytes = await get(key, part);
      wrong -= 1;
      return wrong < 0 || bytes === null ? bytes : bytes.map((byte) => byte ^ 1);
    };
    const next = await world.open();
    await next.handle(batchOf(records));
    assert.deepEqual([next.committed, wrong < 0], [records.length, true]);
  });
});

describe('an order to rebuild a log', () => {
  const order = { ...heartbeat('BOOK'), observation: null, rebuild: { generation: 2 } };

  /** A log whose archived part is damaged at first. */
  function logOf(values: readonly QuotesRecord[]) {
    const records = values.map(
      (value, offset): DeliveredRecord => ({
        ...{ offset, timestamp: offset, key: uuid, headers: {}, value, bytes: new Uint8Array(), undecodable: null },
      }),
    );
    const damaged = { now: true };
    const log: LogReader = {
      watermarks: async () => [{ partition: 0, low: 0, high: records.length }],
      offsetAt: async () => 0,
      async *read(topic, partition, from, to) {
        if (damaged.now) throw new RawFileDamaged({ key: 'raw-archive/1' as never }, 'has another SHA-256');
        yield { topic, partition, records: records.slice(from, to), highWatermark: records.length };
      },
    };
    return { records, log, damaged };
  }

  it('that could not be carried out is not decided anew by the next owner, which finds the archive mended', async () => {
    const world = new World();
    const { records, log, damaged } = logOf([image('BOOK', [quote('home', -110)]), order, heartbeat('BOOK')]);
    world.records = log;
    await (await world.open()).handle(batchOf(records));
    assert.deepEqual([world.catalog.nextOffset, world.catalog.logs.get(uuid)?.generation], [3, 1]);
    // Killed before its next snapshot.
    damaged.now = false;
    const next = await world.open();
    await next.handle(batchOf(records.slice(next.readFrom)));
    await next.close();
    assert.deepEqual([world.catalog.halted, world.catalog.logs.get(uuid)?.generation], [null, 1]);
  });

  it('that was not committed is decided by the next owner', async () => {
    const world = new World();
    const { records, log, damaged } = logOf([image('BOOK', [quote('home', -110)]), order, heartbeat('BOOK')]);
    world.records = log;
    world.catalog.fault = () => 'lost-before';
    await assert.rejects((await world.open()).handle(batchOf(records)), Fenced);
    world.catalog.fault = () => 'none';
    damaged.now = false;
    await (await world.open()).handle(batchOf(records));
    assert.deepEqual([world.catalog.halted, world.catalog.logs.get(uuid)?.generation], [null, 2]);
  });
});

describe('a record whose schema is not known yet', () => {
  it('stays a dead letter for the next owner, who can decode it', async () => {
    const world = new World();
    const at = { key: uuid, headers: {}, bytes: new Uint8Array() };
    const [first, second] = [image('BOOK', [quote('home', -110)]), image('BOOK', [quote('home', -120)])];
    const good = { ...at, offset: 0, timestamp: 1, value: first, undecodable: null };
    const unknown = {
      ...at,
      offset: 1,
      timestamp: 2,
      value: null,
      undecodable: 'no schema',
      mayDecodeLater: true,
    } as const;
    const last = { ...at, offset: 2, timestamp: 3, value: heartbeat('BOOK'), undecodable: null };
    await (await world.open()).handle(batchOf([good, unknown, last]));
    const rows = world.catalog.logs.get(uuid)?.rows;
    // Killed before its next snapshot; by now the schema is known.
    const next = await world.open();
    const decoded = { ...at, offset: 1, timestamp: 2, value: second, undecodable: null };
    await next.handle(batchOf([good, decoded, last].slice(next.readFrom)));
    await next.close();
    assert.deepEqual([world.catalog.halted, world.catalog.logs.get(uuid)?.rows], [null, rows]);
  });

  it('costs a snapshot every five seconds at most, however many there are', async () => {
    const world = new World();
    let snapshots = 0;
    world.put = (key, bytes) => {
      if (key.startsWith('states/')) snapshots += 1;
      return world.store.put(key, bytes);
    };
    const partition = await world.open();
    const at = { key: uuid, headers: {}, bytes: new Uint8Array(), value: null, mayDecodeLater: true } as const;
    const counts: number[] = [];
    for (let offset = 0; offset < 12; offset += 1) {
      await partition.handle(batchOf([{ ...at, offset, timestamp: offset + 1, undecodable: 'no schema' }]));
      counts.push(snapshots);
      world.now += 1_000_000;
    }
    assert.deepEqual(counts, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]);
  });
});

describe('a partition that is given up', () => {
  const never = new Promise<never>(() => {});
  for (const [name, hang] of [
    ['a put', (world: World) => (world.put = () => never)],
    ['a commit', (world: World) => (world.catalog.commit = () => never)],
    ['a catalog that is away', (world: World) => (world.catalog.fault = () => 'unavailable')],
  ] as const) {
    it(`waits no longer for ${name}`, async () => {
      const world = new World();
      world.realSleep = true;
      const givenUp = new AbortController();
      const partition = await world.open(givenUp.signal);
      hang(world);
      const handled = partition.handle(batchOf(recordsAt(...forty)));
      const closed = partition.close();
      setTimeout(() => givenUp.abort(new Fenced('given up')), 20);
      await assert.rejects(handled, Fenced);
      await assert.rejects(closed, Fenced);
    });
  }

  it('is not even opened when that comes first', async () => {
    const world = new World();
    world.catalog.claim = () => never;
    const givenUp = new AbortController();
    const opening = world.open(givenUp.signal);
    givenUp.abort(new Fenced('given up'));
    await assert.rejects(opening, Fenced);
  });
});

it('a flush without a caller that waits for it tells of its failure', async () => {
  const world = new World();
  world.catalog.fault = () => {
    world.now += 10_000;
    return 'none';
  };
  const partition = await world.open();
  await partition.handle(batchOf(recordsAt(0, 1)));
  world.catalog.ownerEpoch += 1;
  // The flush is delayed by the pause, and no later batch could report that it failed.
  await partition.handle(batchOf(recordsAt(0, 1, 2, 3)));
  assert.ok((await partition.failed) instanceof Fenced);
});

it('a snapshot is written after so many bytes too, those that an owner has folded again included', async () => {
  const world = new World();
  world.snapshotEvery = { records: 1_000, ms: 1e12, bytes: 100 };
  const records = recordsAt(...forty).map((record) => ({ ...record, bytes: new Uint8Array(4) }));
  const snapshotAt = () => world.catalog.snapshot?.offset ?? null;
  const first = await world.open();
  await first.handle(batchOf(records.slice(0, 20)));
  assert.equal(first.committed, 20);
  assert.equal(snapshotAt(), null, '80 bytes');
  // Killed, and killed again before anything new came: what was folded twice is not folded a third time.
  const second = await world.open();
  assert.equal(second.readFrom, 0);
  await second.handle(batchOf(records.slice(0, 26)));
  assert.equal(snapshotAt(), 26, '104 bytes');
  await second.handle(batchOf(records.slice(26, 40)));
  assert.equal(snapshotAt(), 26, '56 bytes since');
  assert.equal((await world.open()).readFrom, 26);
});

it('does not use a snapshot whose commit has an unknown outcome', async () => {
  const world = new World();
  const partition = await world.open();
  await partition.handle(batchOf(recordsAt(0, 1)));
  assert.equal(partition.committed, 2);
  world.catalog.fault = () => 'lost-before';
  await assert.rejects(partition.close(), Fenced);
  assert.equal(world.catalog.snapshot, null);
});

async function keysOf(world: World): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of world.store.list('')) keys.push(key);
  return keys;
}
