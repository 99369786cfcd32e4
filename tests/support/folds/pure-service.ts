// The way of a push through the pure functions alone: adapter, resolution of the game, records of the partition, fold.
// Three maps stand for the catalog, the log and the files; there is no clock.
import { everything, type PushGrant } from '../../../core/access/feed-grant.ts';
import { mostGamesADay } from '../../../core/games/founding.ts';
import type { BoundEvent, KnownGame } from '../../../core/games/push-facts.ts';
import { type GameResolution, resolvePush } from '../../../core/games/resolve.ts';
import { referenceDirectory } from '../../../core/games/teams.ts';
import { boardRows, operatorsWithRows } from '../../../core/live/board.ts';
import { type GameState, newGame } from '../../../core/live/game-state.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import type { Micros } from '../../../core/units.ts';
import type { AdaptedPush, OddsApiQuery, PushContext } from '../../../ingest/adapters/adapted.ts';
import { lookupsOf } from '../../../ingest/adapters/decide-elements.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import type { Observation, QuotesRecord } from '../../../schemas/events/quotes.ts';
import { applyRecord, decideElements } from '../builders/in-one-go.ts';
import { saveGame } from './save-game.ts';
import { throughJson } from './through-json.ts';

export type PurePush = {
  source: string;
  format: 'quotes' | 'the-odds-api-v4';
  query: OddsApiQuery;
  receivedAt: Micros;
  observedAt: string | null;
  mayBackfill: boolean;
  /** What the key may push; by default everything. */
  may?: PushGrant;
  idempotencyKey: string | null;
  body: Uint8Array;
};

/** `index`: the element's position in its push; null if the whole push is refused. */
export type PushOutcome = { refusals: { index: number | null; code: string | number }[]; duplicates: number };

export type PureGame = { known: KnownGame; state: GameState; rows: QuoteRow[]; segments: number[] };

export class PureService {
  readonly games = new Map<string, PureGame>();
  readonly #teams = referenceDirectory();
  readonly #events: { source: string; event: BoundEvent }[] = [];
  readonly #checkpoints: boolean;
  #offset = 0;

  /** With `checkpoints`, every state is saved and loaded after every record, and every record passes through JSON. */
  constructor(options: { checkpoints: boolean } = { checkpoints: false }) {
    this.#checkpoints = options.checkpoints;
  }

  push(push: PurePush): PushOutcome {
    const outcome: PushOutcome = { refusals: [], duplicates: 0 };
    if (push.observedAt !== null && !push.mayBackfill) {
      outcome.refusals.push({ index: null, code: 403 });
      return outcome;
    }
    const adapted = adapt(push);
    if (adapted.kind === 'malformed') throw new Error(adapted.detail);
    const resolutions = resolvePush(push.source, lookupsOf(adapted.elements), {
      teams: this.#teams,
      games: Array.from(this.games.values(), (game) => game.known),
      events: this.#events.filter((bound) => bound.source === push.source).map((bound) => bound.event),
      unbound: [],
      mayFound: mostGamesADay,
    });
    const answers = resolutions.map((resolution) =>
      resolution.kind === 'refused'
        ? resolution
        : { kind: 'resolved' as const, game: this.#store(push.source, resolution), league: resolution.game.league },
    );
    const name = `push-${this.#offset}`;
    for (const decided of decideElements(adapted.elements, answers, push.may ?? everything)) {
      const { index } = decided.element;
      for (const { code } of decided.refusals) outcome.refusals.push({ index, code });
      if (decided.kind === 'refused') continue;
      const { game, element } = decided;
      this.#log(game, recordOf(game.known, push, name, index, element.observation), index, outcome);
    }
    return outcome;
  }

  /** Ticks the game's log time to `at`. */
  tick(game: PureGame, at: Micros): void {
    this.#apply(game, { ...frame(game.known, ''), tick: { at } });
  }

  #store(source: string, resolution: Exclude<GameResolution, { kind: 'refused' }>): PureGame {
    if (resolution.kind !== 'known') for (const team of resolution.newTeams) this.#teams.addAppeared(team);
    if (resolution.kind === 'new') this.#found(resolution.game, source);
    const { event } = resolution;
    if (event !== null) {
      const known = this.#events.find((bound) => bound.source === source && bound.event.eventId === event.eventId);
      if (known === undefined) this.#events.push({ source, event });
      else known.event = event;
    }
    return this.games.get(resolution.game.uuid)!;
  }

  #found(known: KnownGame, source: string): void {
    const state = newGame(known.uuid, { generation: 1, firstSeq: 1 });
    const game: PureGame = { known, state, rows: [], segments: [] };
    this.games.set(known.uuid, game);
    const start = { scheduled_start: known.scheduledStart, from_schedule: false };
    this.#apply(game, { ...frame(known, source), start });
  }

  #log(game: PureGame, record: QuotesRecord, index: number, outcome: PushOutcome): void {
    const effects = this.#apply(game, record);
    if (effects.outcome?.state === 'duplicate') outcome.duplicates += 1;
    for (const { code } of effects.outcome?.refusals ?? []) outcome.refusals.push({ index, code });
  }

  #apply(game: PureGame, said: QuotesRecord) {
    const record = this.#checkpoints ? (JSON.parse(JSON.stringify(said)) as QuotesRecord) : said;
    const position = { partition: 0, offset: this.#offset, timestamp: record.received_at ?? record.tick?.at ?? 0 };
    const wrong = recordRefusal(record.game_uuid, record);
    if (wrong !== null) throw new Error(`${wrong.code} ${wrong.pointer}`);
    this.#offset += 1;
    const effects = applyRecord(game.state, record, position);
    effects.rows.forEach((row, index) => {
      if (effects.segmentStarts.includes(index)) game.segments.push(0);
      game.segments[game.segments.length - 1]! += 1;
      game.rows.push(row);
    });
    const start = liveFacts(game.state).scheduledStart;
    if (start !== null) game.known.scheduledStart = start;
    if (this.#checkpoints) game.state = loadGame(throughJson(saveGame(game.state)));
    return effects;
  }
}

/** The boards of a game as `[selection_id, missing]`, for each operator that has one. */
export function boardsWithMissing(game: PureGame): Record<string, [string, number][]> {
  const boards = operatorsWithRows(game.state).map(({ code, live }) => {
    return [code, live.map(({ row, missing }) => [row.selection_id, missing] as [string, number])] as const;
  });
  return Object.fromEntries(boards);
}

/** The state of each row of each board. */
export function boardStates(game: PureGame): Record<string, string[]> {
  const boards = operatorsWithRows(game.state).map(({ code }) => {
    return [code, boardRows(game.state, code).map((row) => row.quote_state)] as const;
  });
  return Object.fromEntries(boards);
}

function adapt(push: PurePush): AdaptedPush {
  const { source, receivedAt, may = everything, mayBackfill, observedAt, idempotencyKey, body } = push;
  const context: PushContext = { source, receivedAt, may, mayBackfill, observedAt, idempotencyKey };
  if (push.format === 'quotes') return runToEnd(adaptNativePush(body, 'json', context));
  const terms = readPollTerms(push.query);
  if (terms.kind === 'invalid') throw new Error(terms.detail);
  return runToEnd(adaptTheOddsApiPush(body, terms, context));
}

function recordOf(
  known: KnownGame,
  push: PurePush,
  name: string,
  index: number,
  observation: Observation,
): QuotesRecord {
  return { ...frame(known, push.source), received_at: push.receivedAt, push: name, push_index: index, observation };
}

function frame(known: KnownGame, source: string): QuotesRecord {
  const game = { uuid: known.uuid, gameId: known.publicId ?? known.uuid, league: known.league };
  return { ...blankRecord(game, source, 0), received_at: null };
}
