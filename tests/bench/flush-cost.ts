// b) Whether a flush costs more the longer the open tail is. Tails grow to 500, 2,000 and 8,000 rows by flushes; then
// flushes of twenty new rows are timed on them in turns: plan, files, commit, on the embedded edition's PostgreSQL and
// disk.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { rawObservation, rawQuote, rawRecord } from '../support/builders/raw-quotes.ts';
import { type Bench, median } from './bench.ts';
import { openLivePartition } from './flushed-partition.ts';
import { openedDrivers } from './opened-drivers.ts';
import { uuidOf } from './quotes.ts';

const target = 1.5;
const rowsOfFlush = 20;
const flushesMeasured = 24;
const gamesOfLength = 2;

export const flushCost: Bench = {
  letter: 'b',
  title: `flush of ${rowsOfFlush} rows onto tails of growing length`,
  async run(run) {
    const lengths = run.toy ? [100, 200] : [500, 2_000, 8_000];
    const flushes = run.toy ? 2 : flushesMeasured;
    await using service = await openedDrivers();
    const partition = await openLivePartition(service.drivers);
    const games = lengths.flatMap((rows, at) =>
      Array.from({ length: gamesOfLength }, (_, copy) => new GrowingGame(at * gamesOfLength + copy, rows)),
    );
    run.say('growing the tails');
    for (;;) {
      // The measured flushes add rows too, and end a little beyond the stated length.
      const short = games.filter((game) => game.rows < game.length - (flushes * rowsOfFlush * 2) / 3);
      if (short.length === 0) break;
      partition.fold(short.map((game) => game.next()));
      await partition.flush();
    }
    run.say('measuring');
    const times = new Map<number, number[]>(lengths.map((rows) => [rows, []]));
    for (let flush = 0; flush < flushes; flush += 1) {
      for (const game of games) {
        partition.fold([game.next()]);
        times.get(game.length)?.push(await partition.flush());
      }
    }
    const all = lengths.map((rows) => times.get(rows) ?? []);
    const medians = all.map(median);
    const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
    const means = all.map((each) => each.reduce((sum, ms) => sum + ms, 0) / each.length);
    const met = ratio <= target;
    run.figure({
      what: `median ${list(medians)} ms at ${lengths.join(', ')} rows: last ÷ first = ${ratio.toFixed(2)}`,
      target: `≤ ${target}`,
      met,
    });
    run.note([`means, which include merges of row groups and noise: ${list(means)} ms`]);
    if (met || run.toy) return;
    const longest = games.at(-1);
    await run.explain(async (window) => {
      window.begin();
      for (let flush = 0; flush < flushesMeasured && longest !== undefined; flush += 1) {
        partition.fold([longest.next()]);
        await partition.flush();
      }
      window.end();
    });
  },
};

function list(milliseconds: readonly number[]): string {
  return milliseconds.map((ms) => ms.toFixed(1)).join(', ');
}

/** A game each of whose records makes the rows of one flush. */
class GrowingGame {
  readonly length: number;
  rows = 0;
  readonly #number: number;

  constructor(number: number, length: number) {
    this.#number = number;
    this.length = length;
  }

  next(): DeliveredRecord {
    const round = this.rows / rowsOfFlush;
    this.rows += rowsOfFlush;
    const quotes = Array.from({ length: rowsOfFlush }, (_, at) =>
      rawQuote({ market: `m${at}`, selection: 'home', american: String(100 + round + at) }),
    );
    // A second between records: no tail is cut for its age.
    const observedAt = 1_785_960_000_000_000 + round * 1_000_000;
    const observation = rawObservation({ observed_at: observedAt, operators: [{ operator: 'BENCHBOOK', quotes }] });
    const key = uuidOf(this.#number);
    const value: QuotesRecord = rawRecord(observation, {
      game_uuid: key,
      game_id: key,
      league: 'MLB',
      source: 'bench',
    });
    return { offset: 0, timestamp: observedAt, key, headers: {}, value, bytes: new Uint8Array(), undecodable: null };
  }
}
