// y) What a hundred NFL Sundays ask of one PostgreSQL. The catalogs' own statements found, claim, commit and tick
// 20,000 open games in 500 partitions; nothing is folded and no file is written. The baseline is the pace at which 500
// partitions flush.
import { randomUUID } from 'node:crypto';
import type { Claim } from '../../core/ports/catalog/checkpoints.ts';
import type { GameLookup } from '../../core/ports/catalog/games.ts';
import type { GamePublication, LiveCommit } from '../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey } from '../../core/ports/object-store.ts';
import { microsPerSecond } from '../../core/units.ts';
import type { Drivers } from '../../ops/service/drivers.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type Bench, quantile, type Run, short } from './bench.ts';
import { openedDrivers } from './opened-drivers.ts';
import { cpuSecondsOf, startedBy } from './started-service.ts';

type Scale = { games: number; partitions: number; seconds: number };

const fullScale: Scale = { games: 20_000, partitions: 500, seconds: 30 };
const toyScale: Scale = { games: 80, partitions: 10, seconds: 1 };
/** A partition flushes at most once a second, and each flush moves some of its games. */
const flushesPerSecond = 1;
const movedGames = 8;
const changedBoards = 2;
/** One source founds at most this many games a day. */
const gamesOfSource = 5_000;
/** Statements at a time: about the connections of all projector processes together. */
const workers = 16;
const teams =
  'ARI ATL BAL BOS CHC CIN CLE COL DET HOU KC LAA LAD MIA MIL MIN NYM NYY PHI PIT SD SEA SF STL TB TEX TOR WAS';
const start = Date.UTC(2026, 3, 1, 18) * 1_000;

export const controlPlane: Bench = {
  letter: 'y',
  title: 'claims, commits and ticks of a hundred NFL Sundays in one PostgreSQL',
  async run(run) {
    await using opened = await openedDrivers();
    const scale = run.toy ? toyScale : fullScale;
    run.say(`founding ${scale.games} games`);
    const partitions = await found(opened.drivers, scale);
    run.say('claiming');
    await claimAll(run, partitions);
    run.say('the first commit of each partition');
    await inTurns(partitions, (partition) => partition.commit(partition.games.length));
    await commitAtFullSpeed(run, opened.drivers, partitions, scale);
    await measureDuePartitions(run, opened.drivers, scale);
  },
};

/** One partition and the state of its games' logs, as its projector keeps them. */
class Partition {
  readonly games: readonly string[];
  readonly #catalogs: Drivers['catalogs'];
  readonly #stream: LiveCommit['stream'];
  readonly #logs = new Map<string, { rows: number; tail: GamePublication['superseded'] }>();
  #claim: Claim | null = null;
  #offset = 0;
  #next = 0;

  constructor(catalogs: Drivers['catalogs'], partition: number, games: readonly string[]) {
    this.#catalogs = catalogs;
    this.#stream = { projector: 'live', topic: topics.quotes, partition };
    this.games = games;
  }

  async claim(): Promise<void> {
    this.#claim = await this.#catalogs.checkpoints.claim(this.#stream, randomUUID());
  }

  /** Commits a flush that moved `count` games. */
  async commit(count: number): Promise<void> {
    const { ownerEpoch } = this.#claim as Claim;
    const moved = Array.from({ length: count }, (_, at) => this.games[(this.#next + at) % this.games.length] as string);
    this.#next += count;
    const games = moved.map((uuid) => this.#publication(uuid));
    const files = games.flatMap(({ tail, boards }) => [
      ...(tail === null ? [] : [tail.file]),
      ...boards.map(({ file }) => file),
    ]);
    const answer = await this.#catalogs.live.commit({
      stream: this.#stream,
      ownerEpoch,
      from: this.#offset,
      to: this.#offset + 1,
      foldDigest: '00',
      snapshot: null,
      logVersion: null,
      games,
      objects: files.map(({ key, size }) => ({ key, size, files: 1 })),
      released: [],
      settlements: [],
      deadLetters: [],
      receipts: [],
    });
    if (answer !== 'committed') throw new Error(answer);
    this.#offset += 1;
  }

  #publication(gameUuid: string): GamePublication {
    const before = this.#logs.get(gameUuid) ?? { rows: 0, tail: null };
    const rows = before.rows + 10;
    const at = start + rows * microsPerSecond;
    const tail = { seq: 1, rows, min_timestamp: start, max_timestamp: at, file: fileOf(gameUuid) };
    const books = Array.from({ length: changedBoards }, (_, book) => `BOOK${book}`);
    this.#logs.set(gameUuid, { rows, tail });
    return {
      ...{ gameUuid, generation: 1, logVersion: 'bench', firstSeq: 1, rows, appliedThrough: at, logTime: at, tail },
      closed: [],
      boards: books.map((operator) => ({ operator, rows: 40, file: fileOf(gameUuid) })),
      operators: Object.fromEntries(
        books.map((book) => [book, { last_row_at: at, observed_through: at, source: 'bench' }]),
      ),
      ...{ openOffer: true, receiveTimed: true, scheduledStart: null, superseded: before.tail, restarted: false },
    };
  }
}

function fileOf(gameUuid: string): FileRef {
  const key = `flushes/${gameUuid}/${randomUUID()}` as ObjectKey;
  return { key, offset: 0, size: 4_096, sha256: '0'.repeat(64) };
}

/** Founds the games: pairs of teams, week by week, so that no pair plays twice at one time. */
async function found({ catalogs }: Drivers, { games: count, partitions }: Scale): Promise<Partition[]> {
  const names = teams.split(' ');
  const pairs = names.flatMap((home) => names.filter((away) => away > home).map((away) => [home, away] as const));
  const uuids: string[] = [];
  while (uuids.length < count) {
    const lookups = Array.from({ length: Math.min(500, count - uuids.length) }, (_, at): GameLookup => {
      const number = uuids.length + at;
      const [homeTeam, awayTeam] = pairs[number % pairs.length] as readonly [string, string];
      const week = Math.floor(number / pairs.length);
      const commenceTime = start + week * 7 * 86_400 * microsPerSecond;
      return { by: 'event', league: 'MLB', eventId: `${number}`, homeTeam, awayTeam, commenceTime };
    });
    const source = `bench${Math.floor(uuids.length / gamesOfSource)}`;
    for (const each of await catalogs.games.resolve(source, lookups)) {
      if (each.kind !== 'resolved') throw new Error(each.detail);
      uuids.push(each.game.uuid);
    }
  }
  return Array.from(
    { length: partitions },
    (_, partition) =>
      new Partition(
        catalogs,
        partition,
        uuids.filter((_uuid, at) => at % partitions === partition),
      ),
  );
}

async function claimAll(run: Run, partitions: readonly Partition[]): Promise<void> {
  const times: number[] = [];
  const began = performance.now();
  await inTurns(partitions, async (partition) => {
    const asked = performance.now();
    await partition.claim();
    times.push(performance.now() - asked);
  });
  const seconds = (performance.now() - began) / 1_000;
  run.figure({
    what: `${partitions.length} partitions changed owner in ${seconds.toFixed(2)} s; a claim p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  });
}

async function commitAtFullSpeed(
  run: Run,
  drivers: Drivers,
  partitions: readonly Partition[],
  { seconds }: Scale,
): Promise<void> {
  run.say(`committing for ${seconds} s`);
  const times: number[] = [];
  const [wal, cpu, began] = [await walBytes(drivers), postgresSeconds(), performance.now()];
  const endsAt = began + seconds * 1_000;
  // A partition commits one flush at a time; this list holds those that are not committing.
  const idle = [...partitions];
  await Promise.all(
    Array.from({ length: Math.min(workers, partitions.length) }, async () => {
      while (performance.now() < endsAt) {
        const partition = idle.shift() as Partition;
        const asked = performance.now();
        await partition.commit(movedGames);
        times.push(performance.now() - asked);
        idle.push(partition);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1_000;
  const perSecond = times.length / elapsed;
  const needed = partitions.length * flushesPerSecond;
  const bytes = ((await walBytes(drivers)) - wal) / times.length;
  const cpuMs = ((postgresSeconds() - cpu) * 1_000) / times.length;
  run.figure({
    what: `${short(perSecond)} commits/s of ${movedGames} games and ${changedBoards} boards each ÷ ${short(needed)}/s that ${partitions.length} partitions need = ${(perSecond / needed).toFixed(2)}`,
    target: '≥ 1',
    met: perSecond >= needed,
  });
  run.figure({
    what: `a commit: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ${workers} at a time; PostgreSQL takes ${cpuMs.toFixed(2)} ms of CPU and writes ${short(bytes)} bytes of WAL for it`,
  });
}

async function measureDuePartitions(run: Run, { catalogs }: Drivers, { games, partitions }: Scale): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const asked = performance.now();
    const due = await catalogs.live.tickingPartitions();
    if (due.length !== partitions) throw new Error(`${due.length} of ${partitions} partitions tick`);
    times.push(performance.now() - asked);
  }
  const p50 = quantile(times, 0.5);
  run.figure({
    what: `finding which of ${partitions} partitions, with ${short(games)} open games, are due for a tick: ${p50.toFixed(1)} ms, ${(p50 / 10).toFixed(1)} % of the second between ticks`,
  });
}

/** Does `work` for each partition, `workers` at a time. */
async function inTurns(partitions: readonly Partition[], work: (partition: Partition) => Promise<void>): Promise<void> {
  const left = [...partitions];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
    }),
  );
}

async function walBytes({ sql }: Drivers): Promise<number> {
  const { rows } = await sql.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`);
  return Number(rows[0]?.bytes);
}

/** CPU seconds of the database: this process starts nothing else. */
function postgresSeconds(): number {
  return startedBy(process.pid).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}
