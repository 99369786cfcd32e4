// t) What ticks cost while no provider says anything: how much the embedded edition's log grows in an hour in which
// 2,000 games are idle, and the CPU of a tick in the projectors. The baseline is a tick for each game, as the gateway
// still writes them for replays.
import { serviceUuid } from '../../core/games/uuid.ts';
import type { DeliveredRecord, OutgoingRecord } from '../../core/ports/broker.ts';
import { microsPerSecond } from '../../core/units.ts';
import { partitionTickRecords, type TickedGame, tickRecords } from '../../ingest/ticker/tick-records.ts';
import { tickOnce } from '../../ingest/ticker/ticker.ts';
import type { Drivers } from '../../ops/service/drivers.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { rawObservation, rawQuote, rawRecord } from '../support/builders/raw-quotes.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { type FlushedPartition, openLivePartition } from './flushed-partition.ts';
import { openedDrivers } from './opened-drivers.ts';

const targetMb = 10;
const ticksPerHour = 3_600;
const books = 6;
const start = 1_785_960_000_000_000;

export const ticks: Bench = {
  letter: 't',
  title: 'ticks to idle games: growth of the embedded log, cost in the projectors',
  async run(run) {
    await using opened = await openedDrivers();
    const idle = await IdleGames.open(opened.drivers, run.toy ? 40 : 2_000);
    await growth(run, opened.drivers, idle);
    await cost(run, idle);
  },
};

/** Games whose six sportsbooks sent their offers once and nothing since. */
class IdleGames {
  readonly games: readonly TickedGame[];
  readonly #numbers: readonly number[];
  readonly #partitions: readonly FlushedPartition[];

  private constructor(games: readonly TickedGame[], numbers: readonly number[], partitions: FlushedPartition[]) {
    this.games = games;
    this.#numbers = numbers;
    this.#partitions = partitions;
  }

  static async open(drivers: Drivers, count: number): Promise<IdleGames> {
    const games = Array.from({ length: count }, (_, game) => gameOf(game));
    const numbers = await Promise.all(games.map(({ gameUuid }) => drivers.broker.partitionOf(topics.quotes, gameUuid)));
    const partitions: FlushedPartition[] = [];
    const all = await drivers.broker.partitions(topics.quotes);
    for (let partition = 0; partition < all; partition += 1)
      partitions.push(await openLivePartition(drivers, partition));
    const idle = new IdleGames(games, numbers, partitions);
    await idle.fold(games.map((game) => ({ key: game.gameUuid, value: offerOf(game) })));
    return idle;
  }

  get partitions(): number {
    return this.#partitions.length;
  }

  /**
   * Folds and flushes the records in their partitions; answers the CPU milliseconds of folding and of both together.
   */
  async fold(records: readonly OutgoingRecord[]): Promise<{ foldMs: number; allMs: number }> {
    const of = new Map(this.games.map(({ gameUuid }, at) => [gameUuid, this.#numbers[at]]));
    const delivered = records.map((record) => [record.partition ?? of.get(record.key), deliver(record)] as const);
    const shares = this.#partitions.map((_, partition) =>
      delivered.filter(([number]) => number === partition).map(([, record]) => record),
    );
    const began = process.cpuUsage();
    for (const [at, partition] of this.#partitions.entries()) partition.fold(shares[at] ?? []);
    const foldMs = cpuMs(began);
    for (const partition of this.#partitions) await partition.flush();
    return { foldMs, allMs: cpuMs(began) };
  }
}

/** Bytes on disk of the log's rows and their index, as PostgreSQL counts them. */
async function logBytes({ sql }: Drivers): Promise<number> {
  const { rows } = await sql.query(`select pg_total_relation_size('log_batches') as bytes`);
  return Number(rows[0]?.bytes);
}

async function growth(run: Run, drivers: Drivers, { games, partitions }: IdleGames): Promise<void> {
  const { broker, catalogs } = drivers;
  let now = start;
  const clock = { now: () => now, sleep: async () => {} };
  const perHour = async (count: number, tick: () => Promise<unknown>): Promise<{ mb: number; ms: number }> => {
    const before = await logBytes(drivers);
    const began = performance.now();
    for (let each = 0; each < count; each += 1) {
      now += microsPerSecond;
      await tick();
    }
    const ms = (performance.now() - began) / count;
    return { mb: ((await logBytes(drivers)) - before) * (ticksPerHour / count / 1e6), ms };
  };
  // PostgreSQL counts whole pages and a partition's row is small, so it takes many ticks to see growth.
  run.say(`ticking ${partitions} partitions`);
  const after = await perHour(run.toy ? 60 : 1_200, () => tickOnce({ broker, live: catalogs.live, clock }));
  run.say(`ticking ${games.length} games`);
  const before = await perHour(run.toy ? 5 : 60, () => broker.produce(topics.quotes, tickRecords(games, now)));
  run.figure({
    what: `the log grows by ${after.mb.toFixed(1)} MB/h with ${short(games.length)} idle games in ${partitions} partitions; by ${before.mb.toFixed(1)} MB/h with a tick for each game: before ÷ after = ${(before.mb / after.mb).toFixed(0)}`,
    target: `≤ ${targetMb} MB/h`,
    met: after.mb <= targetMb,
  });
  run.figure({
    what: `each second the ticker takes ${after.ms.toFixed(1)} ms to find the partitions that are due and write their ticks; writing a tick for each game took ${before.ms.toFixed(1)} ms`,
  });
}

async function cost(run: Run, idle: IdleGames): Promise<void> {
  const { partitions, games } = idle;
  const rounds = run.toy ? 3 : 60;
  let at = start;
  const measure = async (recordsAt: (at: number) => OutgoingRecord[]): Promise<{ fold: number; all: number }> => {
    const costs: { foldMs: number; allMs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The ticks are so close together that no board becomes stale.
      at += 1_000;
      costs.push(await idle.fold(recordsAt(at)));
    }
    return { fold: median(costs.map(({ foldMs }) => foldMs)), all: median(costs.map(({ allMs }) => allMs)) };
  };
  run.say('folding ticks of games');
  const before = await measure((time) => tickRecords(games, time));
  run.say('folding ticks of partitions');
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  const after = await measure((time) => partitionTickRecords(all, time));
  const aGame = (after.fold * 1e6) / games.length;
  run.figure({
    what: `CPU of one tick for ${short(games.length)} games: ${after.fold.toFixed(2)} ms to fold, ${aGame.toFixed(0)} ns a game, ${after.all.toFixed(1)} ms with the flushes of ${partitions} partitions; of a tick for each game ${before.fold.toFixed(2)} ms and ${before.all.toFixed(1)} ms: after ÷ before = ${(after.all / before.all).toFixed(2)}`,
  });
}

function gameOf(game: number): TickedGame {
  // The ids look random, like those of real games: regular ones would compress unusually well in the log.
  return { gameUuid: serviceUuid('bench', String(game)), gameId: `MLB_G${game}_BENCH_20260805`, league: 'MLB' };
}

/** What a poll of the provider says about the game: an offer of each sportsbook, without source times. */
function offerOf({ gameUuid, gameId, league }: TickedGame): QuotesRecord {
  const quotes = ['home', 'away'].flatMap((selection) => [
    rawQuote({ selection }),
    rawQuote({ market: 'spread', selection, line: '1.5' }),
  ]);
  const operators = Array.from({ length: books }, (_, book) => ({ operator: `BOOK${book}`, quotes }));
  const frame = { game_uuid: gameUuid, game_id: gameId, league, source: 'bench', received_at: start };
  return rawRecord(rawObservation({ scope: 'game', operators }), frame);
}

function deliver({ key, value }: OutgoingRecord): DeliveredRecord {
  const timestamp = (value as QuotesRecord).tick?.at ?? start;
  return { offset: 0, timestamp, key, headers: {}, value, bytes: new Uint8Array(), undecodable: null };
}

function cpuMs(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
