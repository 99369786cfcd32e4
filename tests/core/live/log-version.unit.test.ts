// A live log whose columns or rules are another release's: its log starts over with the committed rows, whatever the release before has left
// behind (docs/quotes.md#cutting-segments; docs/interface.md#rebuilt-logs). The usual, under faults, is projectors/live/live-projector.sim's; what clients see is
// whole/service/releases.e2e's.
import assert from 'node:assert/strict';
import { zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, it } from 'vitest';
import type { GameStatus } from '../../../core/games/status.ts';
import { liveLogVersion, logVersion } from '../../../core/live/log-version.ts';
import { append, openTail } from '../../../core/parquet/tail.ts';
import { type DeliveredRecord, Halted } from '../../../core/ports/broker.ts';
import type { FileRef, ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow, ParquetWriter } from '../../../core/ports/parquet.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { encodingParquet } from '../../../platform/parquet/encode.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import { Partition } from '../../../projectors/worker/partition.ts';
import { type Dataset, int32, optional } from '../../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { heartbeat, image, quote, tick, uuid } from '../../support/builders/live-records.ts';
import { MemoryLiveCatalog } from '../../support/fakes/memory-live-catalog.ts';
import { type HeldObjects, openMemoryStore } from '../../support/fakes/memory-store.ts';

class Killed extends Error {}

/** One partition that successive releases fold. */
class World {
  readonly catalog: MemoryLiveCatalog;
  readonly store: ObjectStore;
  parquet: ParquetWriter = parquetWriter;
  /** Called at each flush, before its commit. */
  onFlush = (): void => {};
  readonly #objects: HeldObjects;
  readonly #records: DeliveredRecord[];

  /** Empty, or as another is now: what is done in one does not touch the other. */
  constructor(as: World | null = null) {
    this.catalog = as === null ? new MemoryLiveCatalog() : as.catalog.copy();
    this.#objects = new Map(as === null ? [] : as.#objects);
    this.store = openMemoryStore(() => 0, this.#objects);
    this.#records = as === null ? [] : [...as.#records];
  }

  /** Starts the release's owner of the partition, which reads the whole log. */
  async run(release: string, ...news: readonly QuotesRecord[]): Promise<Partition> {
    for (const value of news) this.#records.push(delivered(value, this.#records.length));
    const tools = {
      checkpoints: this.catalog,
      objects: this.store,
      parquet: this.parquet,
      clock: { now: () => 0, sleep: async () => {} },
      crash: (point: string) => {
        if (point === 'projector:before-commit') this.onFlush();
      },
      log: silentLog,
      ownerId: 'test',
      flushEveryMs: 0,
      snapshotEvery: { records: 1_000_000, ms: 1e12 },
    };
    const partition = await Partition.open(liveProjector(this.catalog, release), tools, 0);
    const records = this.#records.slice(partition.readFrom);
    if (records.length > 0)
      await partition.handle({ topic: 't', partition: 0, records, highWatermark: this.#records.length });
    return partition;
  }

  /** Replaces the record at an offset, as if other rules had read it. */
  reread(offset: number, value: QuotesRecord): void {
    this.#records[offset] = delivered(value, offset);
  }

  log(game = uuid) {
    const log = this.catalog.logs.get(game);
    assert.ok(log !== undefined);
    return log;
  }

  async rows(game = uuid): Promise<readonly ParquetRow[]> {
    const { closed, tail } = this.log(game);
    const files = [...closed.map((segment) => ({ ...segment, offset: 0 })), ...(tail === null ? [] : [tail.file])];
    return (await Promise.all(files.map((file) => this.#read('sportsbook-lines', file)))).flat();
  }

  async board(operator: string): Promise<readonly ParquetRow[]> {
    const file = this.log().boards.find((each) => each.operator === operator)?.file;
    assert.ok(file !== undefined);
    return this.#read('board', file);
  }

  /** Replaces the bytes of a committed object. */
  async spoil(key: string, by: (bytes: Uint8Array) => Uint8Array | null): Promise<void> {
    const bytes = (await this.store.get(key)) as Uint8Array;
    await this.store.delete([key]);
    const spoiled = by(bytes);
    if (spoiled !== null) await this.store.put(key, spoiled);
  }

  async #read(dataset: string, { key, offset, size }: FileRef): Promise<readonly ParquetRow[]> {
    return parquetWriter.decode(dataset, (await this.store.get(key, { offset, length: size })) as Uint8Array);
  }
}

function delivered(value: QuotesRecord, offset: number): DeliveredRecord {
  const timestamp = value.received_at ?? value.tick?.at ?? value.status?.at ?? 0;
  const bytes = Buffer.from(JSON.stringify(value));
  return { offset, timestamp, key: value.game_uuid, headers: {}, value, bytes, undecodable: null };
}

const prices = (rows: readonly ParquetRow[]) => rows.map((row) => [row.selection, row.change, row.price_american]);

describe('the version of a live log', () => {
  const { columns } = sportsbookLines;

  it("changes with the rules, with a further column, or with a column's type", () => {
    const further = [...columns, optional('limit', int32, 'The most that is taken.')];
    const retyped = columns.map((column) => (column.name === 'line' ? { ...column, type: int32 } : column));
    const versions = [logVersion(1, columns), logVersion(2, columns), logVersion(1, further), logVersion(1, retyped)];
    assert.equal(new Set(versions).size, 4);
  });

  it("does not depend on the columns' descriptions", () => {
    const described = columns.map((column) => ({ ...column, description: 'anything', unit: 'anything' }));
    assert.equal(logVersion(1, described), logVersion(1, columns));
    assert.match(liveLogVersion, /^rules \d+, columns [0-9a-f]{12}$/);
  });
});

describe('a log of another version', () => {
  it('starts over with rows above every seq used before; a game without records gets no log', async () => {
    const world = new World();
    await world.run('first', image('a', [quote('home', -110)]), image('a', [quote('home', -120)]));
    const before = await world.rows();
    await world.run('next');
    assert.deepEqual(await world.rows(), before);
    const { generation, firstSeq, logVersion: version } = world.log();
    assert.deepEqual([generation, firstSeq, version, world.catalog.logVersion], [2, 2, 'next', 'next']);
    await world.run('next');
    assert.deepEqual([world.log().generation, world.catalog.restarts], [2, 1], 'and that was all');
    await world.run('next', image('a', [quote('home', -130)]));
    assert.deepEqual(prices((await world.rows()).slice(-2)), [
      ['home', 'price', -120],
      ['home', 'price', -130],
    ]);
  });

  it('keeps the boards: what is missing, and when each last changed', async () => {
    const world = new World();
    await world.run(
      'first',
      image('a', [quote('home', -110), quote('away', -110)], { at: 0 }),
      image('a', [quote('home', -110)], { at: 1 }),
      heartbeat('a', { at: 2 }),
    );
    const before = await world.board('A');
    await world.run('next');
    assert.deepEqual(await world.board('A'), before);
    await world.run('next', image('a', [quote('home', -110)], { at: 3 }));
    assert.deepEqual(prices((await world.rows()).slice(-1)), [['away', 'withdrawn', -110]]);
  });

  it('continues from its existing rows even where the new rules would have made other rows', async () => {
    const world = new World();
    await world.run('first', image('a', [quote('home', -110), quote('away', 105)]), image('b', [quote('home', 120)]));
    const before = await world.rows();
    world.reread(0, image('a', [quote('home', -111), quote('draw', 300)]));
    world.reread(1, image('c', [quote('home', 120)]));
    await world.run('next');
    assert.deepEqual(await world.rows(), before);
    assert.deepEqual(
      world.log().boards.map(({ operator, rows }) => [operator, rows]),
      [
        ['A', 2],
        ['B', 1],
      ],
    );
    await world.run('next', image('a', [quote('home', -110), quote('away', 106), quote('draw', 300)], { at: 1 }));
    assert.deepEqual(prices((await world.rows()).slice(before.length)), [
      ['away', 'price', 106],
      ['draw', 'opened', 300],
    ]);
  });

  it('has null where its files have no such column', async () => {
    const world = new World();
    world.parquet = writerWithout('source_timestamp');
    await world.run('first', image('a', [quote('home', -110, { source_timestamp: 7 })]));
    world.parquet = parquetWriter;
    await assert.rejects(world.run('first', image('a', [quote('home', -120)])), /different schemas/);
    await world.run('next', image('a', [quote('home', -130, { source_timestamp: 9 })]));
    const rows = await world.rows();
    assert.deepEqual(
      rows.map((row) => [row.price_american, row.source_timestamp]),
      [
        [-110, null],
        [-120, null],
        [-130, 9],
      ],
    );
  });

  it('is closed with its own rows where only the rules of this release close the game', async () => {
    const world = new World();
    const closing = [image('a', [quote('home', -110)], { at: 0 }), statusRecord('COMPLETED', 1), tick(700)];
    await world.run('first', ...closing.slice(0, 1));
    // As the release before has it: it has folded these, and nothing came of them.
    await world.run('first', closing[1] as QuotesRecord);
    world.catalog.nextOffset = 3;
    await world.run('next', closing[2] as QuotesRecord);
    const { generation, rows } = world.catalog.closed.get(uuid) ?? {};
    assert.deepEqual([generation, rows, world.log().generation], [2, 1, 2]);
    assert.deepEqual(await world.board('A').then((board) => board.length), 1);
  });
});

describe('logs of another version that are long', () => {
  /**
   * Each game has one closed segment and a nearly full tail: the rows of three are more than may wait for one flush.
   */
  const games = Array.from({ length: 4 }, (_, game) => uuid.replace(/^1{8}/, String(2 + game).repeat(8)));
  const long = (game: string) =>
    Array.from({ length: 4 }, (_, price) => {
      const quotes = Array.from({ length: 4_000 }, (_, name) => quote(String(name), 101 + price));
      return { ...image('a', quotes, { at: price }), game_uuid: game };
    });

  /** Made once, because it takes a second; each test goes on in a copy. */
  const made = new World();
  beforeAll(async () => {
    await made.run('first', ...games.flatMap(long));
  });

  it('start over one after the other, each with a snapshot; after a kill the next owner does the rest', async () => {
    const world = new World(made);
    const before = await Promise.all(games.map((game) => world.rows(game)));
    assert.equal(world.log(games[0]).closed.length, 1);
    let flushes = 0;
    world.onFlush = () => {
      flushes += 1;
      if (flushes === 2) throw new Killed();
    };
    await assert.rejects(world.run('next'), Killed);
    assert.deepEqual([world.catalog.restarts, world.catalog.logVersion], [3, 'first'], 'the stream is not done');
    const snapshot = zstdDecompressSync((await world.store.get(world.catalog.snapshot?.key ?? '')) as Uint8Array);
    const saved = JSON.parse(snapshot.toString()) as { games: { generation: number }[] };
    assert.deepEqual(saved.games.map(({ generation }) => generation).sort(), [1, 2, 2, 2]);
    world.onFlush = () => {};
    await world.run('next');
    assert.deepEqual([world.catalog.restarts, world.catalog.logVersion], [4, 'next']);
    assert.deepEqual(await Promise.all(games.map((game) => world.rows(game))), before);
  });

  it('do not lose the close of a game that is in no snapshot yet, wherever the owner is killed', async () => {
    for (const fatal of [1, 2]) {
      const world = new World(made);
      await world.run('first', image('a', [quote('home', -110)]), statusRecord('COMPLETED', 1));
      world.catalog.nextOffset += 1;
      let flushes = 0;
      world.onFlush = () => {
        flushes += 1;
        if (flushes === fatal) throw new Killed();
      };
      await assert.rejects(world.run('next', tick(700)), Killed);
      world.onFlush = () => {};
      await world.run('next');
      const { generation, rows } = world.catalog.closed.get(uuid) ?? {};
      assert.deepEqual([generation, rows, world.catalog.restarts], [2, 1, 5]);
    }
  });

  it('are held in memory one segment at a time', async () => {
    const world = new World(made);
    const counting = countingWriter();
    world.parquet = counting;
    await world.run('next');
    assert.ok(counting.most <= 8_192, `${counting.most} rows were encoded at once`);
  });
});

describe('a committed file that has changed', () => {
  for (const [how, spoil] of [
    ['absent', () => null],
    ['cut short', (bytes: Uint8Array) => bytes.slice(0, 8)],
    ['damaged', (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)],
  ] as const)
    it(`halts the partition while it is ${how}, and is read once it is back`, async () => {
      const world = new World();
      await world.run('first', image('a', [quote('home', -110)]));
      const before = await world.rows();
      const { key } = world.log().tail!.file;
      const kept = (await world.store.get(key)) as Uint8Array;
      await world.spoil(key, spoil);
      await assert.rejects(world.run('next'), Halted);
      assert.match(world.catalog.halted ?? '', /^object flushes\/.* is committed and .*; bring back flushes\//);
      assert.equal(world.log().generation, 1);
      await world.store.delete([key]);
      await world.store.put(key, kept);
      await world.run('next');
      assert.deepEqual([world.catalog.halted, world.log().generation], [null, 2]);
      assert.deepEqual(await world.rows(), before);
    });
});

function statusRecord(status: GameStatus, at: number): QuotesRecord {
  const { tick: ticked, ...record } = tick(at);
  return { ...record, source: 'msf', tick: null, status: { status, at: ticked?.at ?? 0 } };
}

/** The writer of a release without this column in its sportsbook lines. */
function writerWithout(column: string): ParquetWriter {
  const columns = sportsbookLines.columns.filter(({ name }) => name !== column);
  const former: Dataset = { ...sportsbookLines, columns };
  return {
    ...parquetWriter,
    encoding: (dataset, rows, metadata) =>
      dataset === former.name
        ? encodingParquet(former, rows as never, metadata)
        : parquetWriter.encoding(dataset, rows, metadata),
    *appending(_dataset, onto, rows, metadata) {
      return append(openTail(onto), yield* encodingParquet(former, rows as never, metadata), metadata).bytes;
    },
  };
}

/** A writer that records the most rows of a segment it encoded. */
function countingWriter(): ParquetWriter & { most: number } {
  const counting = {
    ...parquetWriter,
    most: 0,
    encoding(...[dataset, rows, metadata, like]: Parameters<ParquetWriter['encoding']>) {
      if (dataset === sportsbookLines.name) counting.most = Math.max(counting.most, rows.length);
      return parquetWriter.encoding(dataset, rows, metadata, like);
    },
  };
  return counting;
}
