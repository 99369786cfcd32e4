// A gateway without HTTP, broker and database: adapters, resolving and normalising one after another, with the catalog
// in memory. It calls the functions that the real gateway and fold call, and does nothing else.
import { everything } from '../../../core/access/feed-grant.ts';
import { mostGamesADay } from '../../../core/games/founding.ts';
import type { BoundEvent, KnownGame } from '../../../core/games/push-facts.ts';
import { type GameResolution, resolvePush } from '../../../core/games/resolve.ts';
import type { TeamDirectory } from '../../../core/games/team-directory.ts';
import { referenceDirectory } from '../../../core/games/teams.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import type { NormalObservation } from '../../../core/quotes/types.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import type { AdaptedPush, PushContext } from '../../../ingest/adapters/adapted.ts';
import { type AcceptedElement, lookupsOf } from '../../../ingest/adapters/decide-elements.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { decideElements, normaliseObservation } from '../builders/in-one-go.ts';

export type PurePush = {
  source: string;
  scopes: readonly string[];
  format: 'quotes' | 'the-odds-api-v4';
  query: { odds_format?: string; markets?: string; bookmakers?: string };
  at: string;
  timed: 'receive' | 'source';
  idempotencyKey: string | undefined;
  body: string | Uint8Array;
};

/** The result of one element: refused, or a record in normal form. */
export type PureElement =
  | { index: number; refused: readonly string[] }
  | { index: number; record: QuotesRecord; observation: NormalObservation; game: KnownGame; codes: readonly string[] };

export class PureGateway {
  readonly games = new Map<string, KnownGame>();
  readonly #teams: TeamDirectory = referenceDirectory();
  readonly #founders = new Map<string, string>();
  readonly #events = new Map<string, BoundEvent[]>();
  #pushes = 0;

  /** The elements of a push; null if the whole push is refused (403). */
  push(push: PurePush): PureElement[] | null {
    const mayBackfill = push.scopes.includes('backfill');
    if (push.timed === 'source' && !mayBackfill) return null;
    const adapted = adapt(push, {
      source: push.source,
      receivedAt: parseRfc3339(push.at) as number,
      may: everything,
      mayBackfill,
      observedAt: push.timed === 'source' ? push.at : null,
      idempotencyKey: push.idempotencyKey ?? null,
    });
    if (adapted.kind === 'malformed') throw new Error(adapted.detail);
    this.#pushes += 1;
    const known = {
      teams: this.#teams,
      games: [...this.games.values()],
      events: this.#events.get(push.source) ?? [],
      unbound: [],
      mayFound: mostGamesADay,
    };
    const resolutions = resolvePush(push.source, lookupsOf(adapted.elements), known);
    for (const resolution of resolutions) this.#store(push.source, resolution);
    const answers = resolutions.map((resolution) =>
      resolution.kind === 'refused'
        ? resolution
        : { kind: 'resolved' as const, game: resolution.game, league: resolution.game.league },
    );
    const elements = decideElements(adapted.elements, answers, everything).map((decided): PureElement => {
      if (decided.kind === 'accepted') return this.#record(push, decided.element, decided.game);
      return { index: decided.element.index, refused: decided.refusals.map(({ code }) => code) };
    });
    this.#moveStarts(push.source, elements);
    return elements;
  }

  #record(push: PurePush, element: AcceptedElement, game: KnownGame): PureElement {
    const record: QuotesRecord = {
      game_uuid: game.uuid,
      game_id: game.publicId ?? game.uuid,
      league: game.league,
      source: push.source,
      received_at: parseRfc3339(push.at),
      push: `push ${this.#pushes}`,
      push_index: element.index,
      rank: null,
      observation: element.observation,
      start: null,
      status: null,
      owner: null,
      tick: null,
      settle: null,
    };
    const frame = recordRefusal(game.uuid, record);
    if (frame !== null) throw new Error(`the gateway wrote a record that is refused: ${frame.detail}`);
    const normal = normaliseObservation(record, parseRfc3339(push.at) as number);
    if (normal.kind === 'refused') throw new Error(`the gateway let through: ${normal.refusal.detail}`);
    if (normal.refusals.length > 0) throw new Error(`the gateway let through: ${normal.refusals[0]?.detail}`);
    const codes = element.refusals.map((refusal) => refusal.code);
    return { index: element.index, record, observation: normal.observation, game, codes };
  }

  #store(source: string, resolution: GameResolution): void {
    if (resolution.kind === 'refused') return;
    if (resolution.kind !== 'known') for (const team of resolution.newTeams) this.#teams.addAppeared(team);
    if (resolution.kind === 'new') {
      this.games.set(resolution.game.uuid, resolution.game);
      this.#founders.set(resolution.game.uuid, source);
    }
    const { event } = resolution;
    if (event === null) return;
    const others = (this.#events.get(source) ?? []).filter((other) => other.eventId !== event.eventId);
    this.#events.set(source, [...others, event]);
  }

  /** A game starts when its founder says (docs/quotes.md#scheduled-start), until applied records move the start. */
  #moveStarts(source: string, elements: readonly PureElement[]): void {
    for (const element of elements) {
      if ('refused' in element) continue;
      const { game, observation } = element;
      if (this.#founders.get(game.uuid) !== source || observation.commence_time === null) continue;
      const moved = { ...(this.games.get(game.uuid) as KnownGame), scheduledStart: observation.commence_time };
      this.games.set(game.uuid, moved);
    }
  }
}

export function adapt(push: PurePush, context: PushContext): AdaptedPush {
  const body = typeof push.body === 'string' ? Buffer.from(push.body, 'utf8') : push.body;
  if (push.format === 'quotes') return runToEnd(adaptNativePush(body, 'json', context));
  const { odds_format, markets, bookmakers } = push.query;
  const terms = readPollTerms({
    oddsFormat: odds_format ?? null,
    markets: markets ?? null,
    bookmakers: bookmakers ?? null,
  });
  if (terms.kind === 'invalid') throw new Error(terms.detail);
  return runToEnd(adaptTheOddsApiPush(body, terms, context));
}
