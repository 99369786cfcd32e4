// Claim: whatever fails between a partition's records and what is published — puts, commits, answers to commits, the process at any
// crash point, an owner that comes back from the dead, damaged snapshots, a release whose logs have another version, orders to rebuild a log — what is served is the naive fold of the log, with no row lost, twice or out of order
// (I1, I2, I3, I18, I19, I21). A violation would need a commit that is not all of its flush, or a state that survived its fence.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { type DeliveredBatch, type DeliveredRecord, Halted } from '../../../core/ports/broker.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { columnsOf, foldRecords, isOfPartition, publishedOf, type TopicRecord } from '../../oracle/records.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { deliveredRecord } from '../../support/builders/delivered-record.ts';
import { driveFaulty, type Met } from '../../support/fakes/faulty-partition.ts';
import { MemoryLiveCatalog } from '../../support/fakes/memory-live-catalog.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { rowOfProduct } from '../../support/folds/fold-beside-oracle.ts';

const firstSeed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));
const runs = cases(600);

it(`publishes the naive fold of the log, whatever fails (seeds ${firstSeed} … ${firstSeed + runs - 1})`, async () => {
  const met = { crashes: 0, fenced: 0, commits: 0, outages: 0, damaged: 0, halts: 0, restarts: 0, rebuilds: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) await simulate(seed, met);
  assert.ok(
    Object.values(met).every((count) => count > 0),
    `every kind of fault was met: ${JSON.stringify(met)}`,
  );
});

type AllMet = Met & { commits: number; halts: number; restarts: number; rebuilds: number };

async function simulate(seed: number, met: AllMet): Promise<void> {
  const random = seededRandom(seed);
  const records = withOrders(generateRecords(seed, 120), random).map((record, offset) => ({ ...record, offset }));
  const delivered = records.map(deliveredRecord);
  const catalog = new MemoryLiveCatalog();
  const store = openMemoryStore(() => 0);
  // Owners have one release, or each owner the next one, with another version of logs.
  const releases = random.pick([0, 0, 0.2, 1]);
  let release = 0;
  const projector = () => {
    if (random.chance(releases)) release += 1;
    return liveProjector(catalog, `release ${release}`);
  };
  const world = { seed, random, projector, catalog, store, records: delivered, met };
  await driveFaulty(world, async (worker, at) => {
    if (at >= records.length - 1) return false;
    await assertHalted(worker, delivered.slice(at + 1), catalog);
    met.halts += 1;
    return true;
  });
  await compare(seed, catalog, store, records);
  met.commits += catalog.commits;
  met.restarts += catalog.restarts;
  if (releases === 0) met.rebuilds += catalog.restarts;
}

/** Adds orders to rebuild the logs of games; some come twice, some name a log that does not exist. */
function withOrders(records: readonly TopicRecord[], random: Random): TopicRecord[] {
  const rate = random.pick([0, 0.02, 0.1]);
  return records.flatMap((record) => {
    if (!random.chance(rate)) return [record];
    const rebuild = { generation: random.pick([2, 2, 3, 4]) };
    const order = { ...record, value: { ...record.value, ...nothing, rebuild } };
    return random.chance(0.2) ? [record, order, order] : [record, order];
  });
}

const nothing = { observation: null, start: null, status: null, owner: null, tick: null, settle: null };

type Worker = { handle(batch: DeliveredBatch): Promise<unknown> };

/**
 * Adds a gap before these records: nothing after it is published, and the catalog's facts stay until the next claim.
 */
async function assertHalted(
  worker: Worker,
  records: readonly DeliveredRecord[],
  catalog: MemoryLiveCatalog,
): Promise<void> {
  const { commits, ownerEpoch } = catalog;
  const hole = { topic: topics.quotes, partition: 0, records, highWatermark: records.length };
  await assert.rejects(worker.handle(hole), Halted);
  await assert.rejects(worker.handle({ ...hole, records: [] }), Halted);
  assert.deepEqual([catalog.commits, catalog.ownerEpoch], [commits, ownerEpoch]);
  assert.match(catalog.halted ?? '', /^gap in partition 0/);
}

/** A tick or an order for a game without records creates no game; otherwise hostile ticks would fill the memory. */
function withoutIdleTicks(records: readonly TopicRecord[]): TopicRecord[] {
  const known = new Set<string>();
  return records.filter((record) => {
    if ((record.value.rebuild ?? null) !== null) return false;
    const { game_uuid: uuid, tick } = record.value;
    if (tick !== null) return known.has(uuid) || isOfPartition(record);
    const { key, value } = deliveredRecord(record);
    if (recordRefusal(key, value as QuotesRecord) === null) known.add(uuid);
    return true;
  });
}

/** The objects with current files, as the commits counted them. */
function usedObjects(catalog: MemoryLiveCatalog): Record<string, number> {
  return Object.fromEntries([...catalog.objects].filter(([, files]) => files > 0).sort());
}

/** The same, counted from what is served. */
function currentFiles({ logs, snapshot }: MemoryLiveCatalog): Record<string, number> {
  const counts = new Map<string, number>();
  const keys: string[] = [...logs.values()].flatMap(({ closed, tail, boards }) => [
    ...closed.map(({ key }) => key),
    ...[tail, ...boards].flatMap((each) => (each === null ? [] : [each.file.key])),
  ]);
  if (snapshot !== null) keys.push(...[snapshot, ...snapshot.older].map(({ key }) => key));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}

async function compare(
  seed: number,
  catalog: MemoryLiveCatalog,
  store: ObjectStore,
  records: readonly TopicRecord[],
): Promise<void> {
  const oracle = foldRecords(withoutIdleTicks(records));
  const closed = oracle.filter((game) => game.closed).map(({ uuid }) => uuid);
  assert.deepEqual([...catalog.closed.keys()].sort(), closed.sort(), `seed ${seed}: closed games`);
  assert.deepEqual(usedObjects(catalog), currentFiles(catalog), `seed ${seed}: current files of each object`);
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
      board.entries.map((entry) => [entry.row.selectionId, entry.state, Number(board.observedThrough)]),
    ]);
    const files = await Promise.all(
      log.boards.map(async (board) => {
        const bytes = (await store.get(board.file.key, {
          offset: board.file.offset,
          length: board.file.size,
        })) as Uint8Array;
        const selections = parquetWriter.decode('board', bytes);
        return [
          board.operator,
          selections.map((row) => [row.selection_id, row.quote_state, row.operator_observed_through]),
        ];
      }),
    );
    assert.deepEqual(files, boards, `seed ${seed}: boards`);
    const { generation, rows: count } = catalog.closed.get(game.uuid) ?? log;
    assert.deepEqual(
      [generation, count],
      [log.generation, log.rows],
      `seed ${seed}: closed with the log that is served`,
    );
    for (const { tail, firstSeq } of catalog.tailVersions.filter((version) => version.gameUuid === game.uuid)) {
      const bytes = (await store.get(tail.file.key, {
        offset: tail.file.offset,
        length: tail.file.size,
      })) as Uint8Array;
      const first: number = expected.segments.slice(0, tail.seq - firstSeq).reduce((sum, count) => sum + count, 0);
      const prefix = parquetWriter.decode('sportsbook-lines', bytes).map((row) => rowOfProduct(row as never));
      assert.deepEqual(
        prefix,
        rows.slice(first, first + tail.rows),
        `seed ${seed}: version ${tail.seq}:${tail.rows} is a prefix`,
      );
    }
  }
}
