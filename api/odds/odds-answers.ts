// Answers of the odds routes: from a game's current boards, from an instant of its log, or from its final file. An answer about the present
// is made at most once a second and shared by all accounts; boards are decoded once (docs/odds.md#freshness).
import { LRUCache } from 'lru-cache';
import { LogQuotes } from '../../core/odds/log-quotes.ts';
import type { Quote } from '../../core/odds/quote.ts';
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import type { PublishedBoard, ServedLog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { jsonText } from '../../http/json-text.ts';
import { isRefusal, type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { openSemaphore, QueueFull } from '../dependencies/semaphore.ts';
import { boardVersion } from '../events/game-heads.ts';
import { etagOfBytes, weakEtagOf } from '../http/etag.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { LiveVersion } from '../serving/served-games.ts';
import { type OddsAnswer, oddsAnswer } from './odds-answer.ts';
import { type OddsFacts, oddsDocument } from './odds-document.ts';
import { asksFor, asksOf, nameOfQuery, type OddsQuery } from './odds-query.ts';
import type { QuoteFiles } from './quote-files.ts';

export type OddsAnswers = {
  /** From the boards of a served version; synchronous if they are in memory. */
  ofBoards(game: GameIdentity, served: LiveVersion, query: OddsQuery): AnswerOrTooMuch | Promise<AnswerOrTooMuch>;
  /** From an instant of the log. */
  ofLog(game: GameIdentity, log: ServedLog, at: Micros, query: OddsQuery): Promise<Outcome>;
  /** From the final sportsbook lines, at an instant or after their last row. */
  ofFinal(game: GameIdentity, artifact: Artifact, at: Micros | null, query: OddsQuery): Promise<Outcome>;
};

type TooMuch = Refusal<'validation-error'>;
type AnswerOrTooMuch = OddsAnswer | TooMuch;
type Outcome = OddsAnswer | Refusal;

/** Rows of boards that one answer reads, and rows that it shows; above these limits it is refused with advice to narrow the query. */
const mostRead = 100_000;
const mostShown = 20_000;
/** Answers that read logs at a time, and those that wait. */
const atOnce = 2;
const mostWaiting = 32;

export function openOddsAnswers(options: { quotes: QuoteFiles; clock: Clock; memoryBytes: number }): OddsAnswers {
  const { quotes, clock } = options;
  const kept = new LRUCache<string, OddsAnswer>({
    maxSize: options.memoryBytes,
    sizeCalculation: ({ file }, name) => file.size + name.length + entryBytes,
  });
  const semaphore = openSemaphore({ atOnce, maxWaiting: mostWaiting });

  async function inTurn(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await semaphore(work);
    } catch (error) {
      if (error instanceof QueueFull) return unavailable('Too many instants of logs are being read; ask again.');
      throw error;
    }
  }

  async function segmentsUntil(log: ServedLog, at: Micros): Promise<LogQuotes> {
    const folded = new LogQuotes();
    for (const { file, rows, min_timestamp: from, max_timestamp: to } of segmentsOf(log)) {
      // Times of segments may overlap: a later segment may begin before an earlier one ends.
      if (from > at) continue;
      if (to <= at) folded.addUntil(await quotes.newest(file), null);
      else await quotes.addUntil(folded, file, rows, at);
    }
    return folded;
  }

  return {
    ofBoards(game, { key, log }, query) {
      const asOf = clock.now();
      const name = `${key} ${game.gameId} ${nameOfQuery(query)}`;
      const nameNow = `${name} ${Math.floor(asOf / microsPerSecond)}`;
      const held = kept.get(nameNow);
      if (held !== undefined) return held;
      const boards = log.boards.filter(({ operator }) => asksOf(query, operator));
      const read = boards.reduce((sum, { rows }) => sum + rows, 0);
      if (read > mostRead) {
        return tooMuch(`the boards have ${read} rows, and at most ${mostRead} are read at once`, 'operators');
      }
      return chainMaybeAsync(rowsOf(quotes, boards), (found) => {
        const observedThrough = (operator: string) => log.operators[operator]?.observed_through ?? null;
        const facts = {
          gameId: game.gameId,
          provisional: true,
          asOf,
          boardVersion: boardVersion(log),
          observedThrough,
        };
        // The ages of quotes change while nothing else does, so the tag is that of the version.
        const answer = answerOf(found, facts, query, weakEtagOf(name));
        if (!isRefusal(answer)) kept.set(nameNow, answer);
        return answer;
      });
    },
    ofLog: (game, log, at, query) =>
      inTurn(async () => {
        const folded = await segmentsUntil(log, at);
        return answerOf(folded.quoted(), { ...unobserved, gameId: game.gameId, provisional: true, asOf: at }, query);
      }),
    ofFinal: (game, { file, rows }, at, query) =>
      inTurn(async () => {
        const folded = new LogQuotes();
        if (at === null) folded.addUntil(await quotes.newest(file), null);
        else await quotes.addUntil(folded, file, rows, at);
        const asOf = at ?? newestTime(folded.newest());
        return answerOf(folded.quoted(), { ...unobserved, gameId: game.gameId, provisional: false, asOf }, query);
      }),
  };
}

/** No file has the watermark of a sportsbook at a past instant. */
const unobserved = { boardVersion: null, observedThrough: () => null };

function answerOf(quotes: readonly Quote[], facts: OddsFacts, query: OddsQuery, etag?: string): AnswerOrTooMuch {
  const shown = quotes.filter((quote) => asksFor(query, quote));
  const { length: rows } = shown;
  if (rows > mostShown) {
    return tooMuch(
      `the answer would have ${rows} quotes, and at most ${mostShown} are shown`,
      'market, period or operators',
    );
  }
  const text = jsonText(oddsDocument(shown, facts, query));
  return oddsAnswer(text, etag ?? etagOfBytes(text), rows);
}

function tooMuch(why: string, parameters: string): TooMuch {
  return refuse('validation-error', { detail: `${why}: ask for fewer by ${parameters}` });
}

/** The rows of several boards; synchronous if all are in memory. */
function rowsOf(quotes: QuoteFiles, boards: readonly PublishedBoard[]): Quote[] | Promise<Quote[]> {
  const read = boards.filter(({ rows }) => rows > 0).map(({ file }) => quotes.rows(file));
  const held = read.filter((rows): rows is readonly Quote[] => !(rows instanceof Promise));
  return held.length === read.length ? held.flat() : Promise.all(read).then((all) => all.flat());
}

type Segment = { file: FileRef; rows: number; min_timestamp: Micros; max_timestamp: Micros };

function segmentsOf({ closed, tail }: ServedLog): readonly Segment[] {
  const whole = closed.map(({ key, size, sha256, ...facts }) => ({ ...facts, file: { key, offset: 0, size, sha256 } }));
  return tail === null ? whole : [...whole, tail];
}

function newestTime(quotes: readonly Quote[]): Micros | null {
  return quotes.reduce<Micros | null>((newest, { changedAt }) => Math.max(newest ?? changedAt, changedAt), null);
}

/** What the header fields of an answer and its cache entry cost. */
const entryBytes = 2_048;
