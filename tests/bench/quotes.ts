// Observations as the gateway logs them: images, each of one operator's offer in one game, with twenty to fifty quotes,
// of which one in seven differs from the image before. The same seed gives the same records.
import { createHash } from 'node:crypto';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type { Observation, QuotesRecord, RawQuote } from '../../schemas/events/quotes.ts';
import { type Random, seededRandom } from '../oracle/random.ts';
import { rawObservation, rawQuote, rawRecord } from '../support/builders/raw-quotes.ts';

const books = ['northbook', 'riverbet', 'summit', 'aceline', 'harborlines', 'cityexchange'];
export const booksOfGame = books.length;
/** Log time between two images of an operator. */
const betweenMicros = 15_000_000;
const recordsOfPush = 30;
const startOfLog = 1_785_960_000_000_000;

export type QuoteRecords = {
  count: number;
  /** How many quotes the records have together. */
  quotes: number;
  /** The records, `size` at a time, so that they need not all be in memory. Each call starts again at the first. */
  chunks(size: number): Iterable<OutgoingRecord[]>;
};

/** Makes `count` records about `games` games, each operator of each game in turn. */
export function quoteRecords(count: number, games: number, seed = 1): QuoteRecords {
  const sizes = offersOf(seed, games).offers.map((offer) => offer.length);
  const sum = (some: readonly number[]) => some.reduce((total, size) => total + size, 0);
  const rounds = Math.floor(count / sizes.length);
  return {
    count,
    quotes: rounds * sum(sizes) + sum(sizes.slice(0, count % sizes.length)),
    *chunks(size) {
      const { random, offers } = offersOf(seed, games);
      for (let from = 0; from < count; from += size) {
        const length = Math.min(size, count - from);
        yield Array.from({ length }, (_, index) => nextRecord(random, offers, from + index));
      }
    },
  };
}

function offersOf(seed: number, games: number): { random: Random; offers: RawQuote[][] } {
  const random = seededRandom(seed);
  return { random, offers: Array.from({ length: games * books.length }, () => newOffer(random)) };
}

function nextRecord(random: Random, offers: readonly RawQuote[][], index: number): OutgoingRecord {
  const at = index % offers.length;
  const game = Math.floor(at / books.length);
  const offer = offers[at] ?? [];
  const round = Math.floor(index / offers.length);
  if (round > 0) for (const quote of offer) if (random.chance(1 / 7)) quote.american = american(random);
  const observedAt = startOfLog + round * betweenMicros + at * 1_000;
  const value = recordOf(game, books[at % books.length] ?? '', offer, observedAt);
  const push = `rcpt_bench${Math.floor(index / recordsOfPush)}`;
  return { key: uuidOf(game), value: { ...value, push, push_index: index % recordsOfPush } };
}

export function uuidOf(game: number): string {
  return `be0c0000-0000-5000-8000-${String(game).padStart(12, '0')}`;
}

function recordOf(game: number, operator: string, offer: readonly RawQuote[], observedAt: number): QuotesRecord {
  const observation: Observation = rawObservation({
    observed_at: observedAt,
    sha256: createHash('sha256').update(`${game} ${operator} ${observedAt}`).digest('hex'),
    commence_time: startOfLog + 3_600_000_000,
    operators: [{ operator, quotes: offer.map((quote) => ({ ...quote, source_timestamp: observedAt - 2_000_000 })) }],
  });
  return rawRecord(observation, {
    game_uuid: uuidOf(game),
    game_id: `MLB_G${game}_BENCH_20260805`,
    league: 'MLB',
    source: 'bench',
    received_at: observedAt + 300_000,
  });
}

/** Main markets first, then alternates and periods: a small sportsbook quotes the main ones only. */
function newOffer(random: Random): RawQuote[] {
  const quotes: RawQuote[] = [];
  const add = (market: string, selection: string, line: number | null, more: Partial<RawQuote> = {}) =>
    quotes.push(
      rawQuote({ market, selection, line: line === null ? null : String(line), american: american(random), ...more }),
    );
  for (const period of [null, 'h1']) {
    for (const side of ['home', 'away']) add('moneyline', side, null, { period });
    for (const side of ['home', 'away']) add('spread', side, side === 'home' ? -1.5 : 1.5, { period });
    for (const side of ['over', 'under']) add('total', side, 8.5, { period });
  }
  for (let step = 0; quotes.length < 50; step += 1) {
    for (const side of ['over', 'under']) add('total', side, 5.5 + step, { alternate: true });
  }
  return quotes.slice(0, 20 + 2 * random.integer(16));
}

function american(random: Random): string {
  return String((random.chance(0.5) ? 1 : -1) * (100 + 5 * random.integer(60)));
}
