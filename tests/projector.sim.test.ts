// Claim: whatever fails between a partition's records and what is published — puts, commits, answers to commits, the process at any
// crash point, an owner that comes back from the dead — what is served is the naive fold of the log, with no row lost, twice or out of order
// (I1, I2, I3, I18, I19, I21). A violation would need a commit that is not all of its flush, or a state that survived its fence.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Halted } from '../core/ports/broker.ts';
import type { ServedLog } from '../core/ports/catalog/live.ts';
import type { CrashPoint } from '../core/ports/crash-points.ts';
import type { ObjectStore } from '../core/ports/object-store.ts';
import { silentLog } from '../core/ports/telemetry.ts';
import { recordRefusal } from '../core/quotes/normalise-observation.ts';
import { openMemoryStore } from '../platform/objects/memory.ts';
import { parquetWriter } from '../platform/parquet/writer.ts';
import type { LiveFacts } from '../projectors/live/live-projector.ts';
import { liveProjector } from '../projectors/live/live-projector.ts';
import { Partition } from '../projectors/partition.ts';
import { Fenced, type PartitionTools } from '../projectors/partition-tools.ts';
import type { QuotesRecord } from '../schemas/events/quotes.ts';
import { generateRecords } from './oracle/generate-records.ts';
import { type Random, seededRandom } from './oracle/random.ts';
import { columnsOf, foldRecords, publishedOf, type TopicRecord } from './oracle/records.ts';
import { deliveredRecord } from './support/delivered-record.ts';
import { rowOfProduct } from './support/fold-beside-oracle.ts';
import { type CommitFault, MemoryLiveCatalog } from './support/memory-live-catalog.ts';

const campaigns = Number(process.env['SDS_CAMPAIGN'] ?? 1);
const firstSeed = Number(process.env['SDS_SEED'] ?? Math.floor(Math.random() * 1e9));
const runs = 150 * campaigns;

class Killed extends Error {}

it(`publishes the naive fold of the log, whatever fails (seeds ${firstSeed} … ${firstSeed + runs - 1})`, async () => {
  const met = { crashes: 0, fenced: 0, commits: 0, outages: 0, halts: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) await simulate(seed, met);
  assert.ok(
    met.crashes > 0 && met.fenced > 0 && met.outages > 0 && met.halts > 0,
    `every kind of fault was met: ${JSON.stringify(met)}`,
  );
});

async function simulate(
  seed: number,
  met: { crashes: number; fenced: number; commits: number; outages: number; halts: number },
): Promise<void> {
  const random = seededRandom(seed);
  const records = generateRecords(seed, 120).map((record, offset) => ({ ...record, offset }));
  const catalog = new MemoryLiveCatalog();
  const store = openMemoryStore(() => 0);
  const rate = random.pick([0, 0.02, 0.1]);
  const fault = (): boolean => {
    const hit = random.chance(rate);
    if (hit) met.outages += 1;
    return hit;
  };
  catalog.fault = () => (fault() ? random.pick<CommitFault>(['unavailable', 'lost-before', 'lost-after']) : 'none');
  const open = () => openPartition(catalog, faulty(store, fault), random, rate, met);

  const zombies: Worker[] = [];
  let worker = await reopen(open);
  let at = worker.readFrom;
  while (at < records.length || worker.committed < records.length) {
    const size = 1 + random.integer(12);
    const batch = records.slice(at, at + size).map(deliveredRecord);
    try {
      await worker.handle({ topic: 'sds.quotes.v1', partition: 0, records: batch, highWatermark: records.length });
      at = Math.min(records.length, at + size);
      const again = random.chance(rate) ? zombies.at(-1) : undefined;
      if (again !== undefined) await assertFenced(again, records, met);
      if (random.chance(rate)) {
        zombies.push(worker);
        worker = await reopen(open);
        at = worker.readFrom;
      }
    } catch (error) {
      // A worker that cannot know whether its commit stands gives up, as one that was killed.
      if (!(error instanceof Killed || error instanceof Fenced)) throw new Error(`seed ${seed}`, { cause: error });
      if (error instanceof Killed) met.crashes += 1;
      worker = await reopen(open);
      at = worker.readFrom;
    }
    if (random.chance(rate) && at < records.length - 1) {
      await assertHalted(worker, records.slice(at + 1), catalog);
      met.halts += 1;
      worker = await reopen(open);
      at = worker.readFrom;
    }
  }
  await compare(seed, catalog, store, records);
  met.commits += catalog.commits;
}

type Worker = Awaited<ReturnType<typeof openPartition>>;

function openPartition(catalog: MemoryLiveCatalog, objects: ObjectStore, random: Random, rate: number, _met: unknown) {
  const crash = (_point: CrashPoint): void => {
    if (random.chance(rate / 3)) throw new Killed();
  };
  const tools: PartitionTools<LiveFacts, readonly ServedLog[]> = {
    catalog,
    objects,
    parquet: parquetWriter,
    clock: { now: () => 0, sleep: async () => {} },
    crash,
    log: silentLog,
    ownerId: 'sim',
    flushEveryMs: 0,
    snapshotEvery: { records: 1 + random.integer(40), ms: 1e12 },
  };
  return Partition.open(liveProjector, tools, 0);
}

async function reopen(open: () => Promise<Worker>): Promise<Worker> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

/** A hole before these records: nothing behind it is published, and what the catalog says of it stands until the next claim. */
async function assertHalted(worker: Worker, behind: readonly TopicRecord[], catalog: MemoryLiveCatalog): Promise<void> {
  const { commits, ownerEpoch } = catalog;
  const records = behind.map(deliveredRecord);
  const hole = { topic: 'sds.quotes.v1', partition: 0, records, highWatermark: behind.length };
  await assert.rejects(worker.handle(hole), Halted);
  await assert.rejects(worker.handle({ ...hole, records: [] }), Halted);
  assert.deepEqual([catalog.commits, catalog.ownerEpoch], [commits, ownerEpoch]);
  assert.match(catalog.halted ?? '', /^gap in partition 0/);
}

async function assertFenced(zombie: Worker, records: readonly TopicRecord[], met: { fenced: number }): Promise<void> {
  const before = zombie.committed;
  const batch = records.slice(zombie.readFrom, zombie.readFrom + 3).map(deliveredRecord);
  if (batch.length === 0) return;
  try {
    await zombie.handle({ topic: 'sds.quotes.v1', partition: 0, records: batch, highWatermark: records.length });
    assert.equal(zombie.committed, before, 'an owner whose epoch is over commits nothing');
  } catch (error) {
    if (error instanceof Fenced) met.fenced += 1;
    else if (!(error instanceof Killed)) throw error;
  }
}

function faulty(store: ObjectStore, fault: () => boolean): ObjectStore {
  return {
    ...store,
    async put(key, bytes) {
      if (fault()) throw new Error('planned outage of the store');
      await store.put(key, bytes);
      if (fault()) throw new Error('planned loss of an answer of the store');
    },
    async get(key, part) {
      if (fault()) throw new Error('planned outage of the store');
      return store.get(key, part);
    },
  };
}

/** A tick to a game of which nothing was told is nobody's: it founds no game, or a stranger's ticks would fill the memory with them. */
function withoutIdleTicks(records: readonly TopicRecord[]): TopicRecord[] {
  const known = new Set<string>();
  return records.filter((record) => {
    const { game_uuid: uuid, tick } = record.value;
    if (tick !== null) return known.has(uuid);
    const { key, value, timestamp } = deliveredRecord(record);
    if (recordRefusal(key, value as QuotesRecord, timestamp) === null) known.add(uuid);
    return true;
  });
}

async function compare(
  seed: number,
  catalog: MemoryLiveCatalog,
  store: ObjectStore,
  records: readonly TopicRecord[],
): Promise<void> {
  const oracle = foldRecords(withoutIdleTicks(records));
  for (const game of oracle) {
    const expected = publishedOf(game);
    const log = catalog.logs.get(game.uuid);
    const rows = expected.rows.map((row, index) => columnsOf(row, index + 1, game.league));
    if (log === undefined) {
      assert.deepEqual(rows, [], `seed ${seed}: game ${game.uuid} has rows but no log`);
      continue;
    }
    const segments = [
      ...log.closed.map((segment) => ({ ...segment, offset: 0 })),
      ...(log.tail === null ? [] : [{ ...log.tail, ...log.tail.file }]),
    ];
    const served = [];
    for (const segment of segments) {
      const part = { offset: segment.offset, length: segment.size };
      served.push(...parquetWriter.decode('sportsbook-lines', (await store.get(segment.key, part)) as Uint8Array));
    }
    assert.deepEqual(
      served.map((row) => rowOfProduct(row as never)),
      rows,
      `seed ${seed}: rows`,
    );
    assert.deepEqual(
      segments.map((segment) => segment.rows),
      expected.segments,
      `seed ${seed}: cuts`,
    );
    const boards = expected.boards.map((board) => [
      board.operator,
      board.entries.map((entry) => [entry.row.selectionId, entry.state]),
    ]);
    const files = await Promise.all(
      log.boards.map(async (board) => {
        const bytes = (await store.get(board.file.key, {
          offset: board.file.offset,
          length: board.file.size,
        })) as Uint8Array;
        return [
          board.operator,
          parquetWriter.decode('board', bytes).map((row) => [row['selection_id'], row['quote_state']]),
        ];
      }),
    );
    assert.deepEqual(files, boards, `seed ${seed}: boards`);
    for (const { tail } of catalog.tailVersions.filter((version) => version.gameUuid === game.uuid)) {
      const bytes = (await store.get(tail.file.key, {
        offset: tail.file.offset,
        length: tail.file.size,
      })) as Uint8Array;
      const first: number = expected.segments.slice(0, tail.seq - log.firstSeq).reduce((sum, count) => sum + count, 0);
      const prefix = parquetWriter.decode('sportsbook-lines', bytes).map((row) => rowOfProduct(row as never));
      assert.deepEqual(
        prefix,
        rows.slice(first, first + tail.rows),
        `seed ${seed}: version ${tail.seq}:${tail.rows} is a prefix`,
      );
    }
  }
}
