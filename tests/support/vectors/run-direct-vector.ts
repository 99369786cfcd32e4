// Runs one vector as records put on the topic directly by a producer who knows the games and fills in nothing that a
// gateway would. A whole service folds them, and a client reads the result. Refusals show as dead letters, by position
// in the log.
import assert from 'node:assert/strict';
import { everything } from '../../../core/access/feed-grant.ts';
import type { OutgoingRecord } from '../../../core/ports/broker.ts';
import type { ResolvedGame } from '../../../core/ports/catalog/games.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { directElements } from '../builders/direct-records.ts';
import { rawRecord } from '../builders/raw-quotes.ts';
import { type Edition, type EditionOptions, SetClock, startEdition } from '../editions/edition.ts';
import { getJson } from '../editions/published-game.ts';
import { until } from '../services/until.ts';
import { compareGame, compareStates } from './run-vector.ts';
import type { VectorCase, VectorPush } from './vector-cases.ts';

/** Elements that could not be put on the topic: `[step, index, reason]`. */
export type LeftOut = [step: number, index: number, reason: string][];

/** Runs a vector; rejects with the first difference. Resolves with the elements that could not be put on the topic. */
export async function runDirectVector(vector: VectorCase, options: Omit<EditionOptions, 'clock'>): Promise<LeftOut> {
  const clock = new SetClock();
  const edition = await startEdition({ ...options, clock });
  try {
    const producer = new Producer(edition);
    for (const push of vector.pushes) {
      clock.set(push.receivedAt);
      await producer.put(push);
    }
    for (const [id, expected] of Object.entries(vector.expect.games)) await compareGame(edition, id, expected);
    const games = (await getJson(edition, '/v1/games?limit=10000')) as { data: { id: string }[] };
    assert.deepEqual(games.data.map((game) => game.id).sort(), Object.keys(vector.expect.games).sort(), 'games');
    compareRefusals(vector, producer.leftOut, await producer.refusals());
    await compareStates(edition, clock, vector);
    return producer.leftOut;
  } finally {
    await edition.stop();
  }
}

/**
 * Compares the refusals. For records about another source's operator, one dead letter an hour stands for all
 * (docs/quotes.md#ownership), and must be an expected one.
 */
function compareRefusals(vector: VectorCase, leftOut: LeftOut, found: readonly string[]): void {
  const gone = new Set(leftOut.map(([step, index]) => `${step} ${index}`));
  const here = vector.expect.refusals.filter(([step, index]) => index !== null && !gone.has(`${step} ${index}`));
  const split = (refusals: readonly string[]) => {
    const others = [...new Set(refusals)].filter((each) => each.includes('"other-source"')).sort();
    return { others, rest: [...new Set(refusals)].filter((each) => !each.includes('"other-source"')).sort() };
  };
  const [expected, shown] = [split(here.map((each) => JSON.stringify(each))), split(found)];
  assert.deepEqual(shown.rest, expected.rest, 'refusals');
  assert.deepEqual(
    shown.others.filter((each) => !expected.others.includes(each)),
    [],
    'other-source',
  );
  assert.equal(shown.others.length > 0, expected.others.length > 0, 'other-source');
}

/** Members with which an event names its game. */
const ofItsGame = /^\/(game|id|sport_key|home_team|away_team)\b/;

class Producer {
  readonly leftOut: LeftOut = [];
  readonly #edition: Edition;
  /** The game of each event of a source. */
  readonly #games = new Map<string, ResolvedGame>();
  /** Step and index of the element at each log position. */
  readonly #places = new Map<string, [number, number]>();
  readonly #next = new Map<number, number>();

  constructor(edition: Edition) {
    this.#edition = edition;
  }

  async put(push: VectorPush): Promise<void> {
    const { broker, catalogs } = this.#edition.drivers;
    const resolved = await this.#resolve(push);
    const records: OutgoingRecord[] = [];
    for (const element of directElements(push)) {
      const game = resolved.get(element.index) ?? this.#games.get(`${push.source}/${element.event}`);
      const { index } = element;
      const reason =
        element.leftOut ?? (game === undefined || resolved.get(index) === null ? 'it names no game' : null);
      if (reason !== null || element.observation === null || game === undefined || game === null) {
        this.leftOut.push([push.step, index, reason ?? '']);
        continue;
      }
      const frame = rawRecord(null, {
        game_uuid: game.uuid,
        game_id: game.gameId,
        league: game.league,
        source: push.source,
      });
      if (game.startToLog !== null && !records.some((record) => record.key === game.uuid)) {
        const { scheduledStart, source } = game.startToLog;
        const start = { scheduled_start: scheduledStart, from_schedule: false };
        await this.#place(records, { ...frame, source, start }, null);
      }
      const { observation } = element;
      await this.#place(records, { ...frame, received_at: push.receivedAt, observation }, [push.step, index]);
    }
    await broker.produce(topics.quotes, records);
    await catalogs.games.startsLogged(records.map((record) => record.key));
    await this.#folded();
  }

  /** The games of the elements that a gateway would accept, by index; null if it would refuse the game. */
  async #resolve(push: VectorPush): Promise<Map<number, ResolvedGame | null>> {
    const context = {
      source: push.source,
      receivedAt: push.receivedAt,
      may: everything,
      mayBackfill: true,
      observedAt: push.timed === 'source' ? push.at : null,
      idempotencyKey: null,
    };
    const terms = readPollTerms({ oddsFormat: push.query.odds_format ?? null, markets: null, bookmakers: null });
    if (terms.kind === 'invalid') throw new Error(terms.detail);
    const adapted =
      push.format === 'quotes'
        ? runToEnd(adaptNativePush(push.body, 'json', context))
        : runToEnd(adaptTheOddsApiPush(push.body, terms, context));
    if (adapted.kind === 'malformed') throw new Error(adapted.detail);
    const accepted = adapted.elements.filter((element) => element.kind === 'accepted');
    const answers = await this.#edition.drivers.catalogs.games.resolve(
      push.source,
      accepted.map((element) => element.game),
    );
    const found = new Map<number, ResolvedGame | null>();
    for (const element of adapted.elements) {
      if (element.kind === 'refused' && ofItsGame.test(element.refusals[0]?.pointer ?? ''))
        found.set(element.index, null);
    }
    for (const [at, { index, game }] of accepted.entries()) {
      const answer = answers[at];
      found.set(index, answer?.kind === 'resolved' ? answer.game : null);
      if (answer?.kind === 'resolved' && game.by === 'event')
        this.#games.set(`${push.source}/${game.eventId}`, answer.game);
    }
    return found;
  }

  async #place(records: OutgoingRecord[], value: QuotesRecord, place: [number, number] | null): Promise<void> {
    const partition = await this.#edition.drivers.broker.partitionOf(topics.quotes, value.game_uuid);
    const offset = this.#next.get(partition) ?? 0;
    this.#next.set(partition, offset + 1);
    if (place !== null) this.#places.set(`${partition}:${offset}`, place);
    records.push({ key: value.game_uuid, value });
  }

  /** Waits until everything put so far is committed. */
  async #folded(): Promise<void> {
    const { operations } = this.#edition.drivers.catalogs;
    await until(
      'the records are folded',
      async () => {
        const streams = await operations.streams();
        return [...this.#next].every(([partition, next]) =>
          streams.some((stream) => stream.partition === partition && stream.nextOffset >= next),
        );
      },
      { everyMs: 5 },
    );
  }

  /** Step, index and code of each dead letter. */
  async refusals(): Promise<string[]> {
    const letters = await this.#edition.drivers.catalogs.deadLetters.list({
      before: null,
      limit: 100_000,
      code: null,
      source: null,
    });
    return letters.map(({ partition, offset, code }) => {
      const place = this.#places.get(`${partition}:${offset}`);
      assert.ok(place, `${code} at ${partition}:${offset}`);
      return JSON.stringify([...place, code]);
    });
  }
}
