// Decides which game an event belongs to (docs/quotes.md#resolving-the-game): one pure function over the catalog's contents. The driver
// only loads and stores, inside one serialised transaction. Independent of SQL, the log and the clock.
import { teamsAppear } from '../league-code.ts';
import type { CatalogTeam, EventLookup, GameLookup, GameWarning, ResolveCode } from '../ports/catalog/games.ts';
import { type Micros, microsPerHour } from '../units.ts';
import { foundedUuid, otherWayRound, tooManyGames, warningOf } from './founding.ts';
import { nearestGame } from './nearest-game.ts';
import { nextPublicId, publicIdBase } from './public-id.ts';
import type { BoundEvent, KnownGame, PushFacts } from './push-facts.ts';
import type { PushedEvents } from './pushed-events.ts';
import { type EventTime, EventTimes, halfDay, StartTimes } from './start-times.ts';
import { TeamDirectory } from './team-directory.ts';
import { appearingTeam, crowdedOut } from './teams.ts';

/**
 * The answer for one lookup. `event` is the binding to store: a new one, or for `known` one whose start has moved; otherwise null.
 * `newTeams` (where teams appear) and a `new` game are stored before it.
 */
export type GameResolution =
  | { kind: 'known'; game: KnownGame; event: BoundEvent | null }
  | { kind: 'matched'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[] }
  | { kind: 'new'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: GameWarning | null }
  | { kind: 'refused'; code: ResolveCode; detail: string };

/** `crowdedOut`: why a new team could not be created, if so. */
type Sides = { home: CatalogTeam | null; away: CatalogTeam | null; crowdedOut: string | null };

/** How far apart the starts of event and game may be; less if the source has another event of these teams nearby. */
const usualDistance: Micros = halfDay;
const distanceBesideAnother: Micros = 3 * microsPerHour;

/**
 * Resolves the lookups of a push in order. Each sees the effects of the earlier ones and knows that the later ones exist. `whole`: the events
 * of the push, if the lookups are only a part of it.
 */
export function resolvePush(
  source: string,
  lookups: readonly GameLookup[],
  known: PushFacts,
  whole: PushedEvents | null = null,
): GameResolution[] {
  const push = new PushResolution(source, known, whole);
  const sides = lookups.map((lookup) => (lookup.by === 'event' ? push.announce(lookup) : null));
  return lookups.map((lookup, at) =>
    lookup.by === 'id' ? push.named(lookup.gameId) : push.resolve(lookup, sides[at] as Sides),
  );
}

/** What is known while a push is resolved: the catalog's state and what the push adds to it. */
class PushResolution {
  readonly #source: string;
  readonly #teams: TeamDirectory;
  readonly #games = new Map<string, KnownGame>();
  readonly #publicIds = new Map<string, KnownGame>();
  readonly #bound = new Map<string, BoundEvent>();
  /** The start of each bound event, as it is in `#events`. */
  readonly #boundTimes = new Map<string, EventTime>();
  /** Games between two teams that no event of this source is bound to, by `pairOf`. */
  readonly #free = new Map<string, Set<KnownGame>>();
  /** Starts of all games between two teams, by `pairOf`. */
  readonly #starts = new Map<string, StartTimes<KnownGame>>();
  /** Events of this source between two teams, in the catalog and in the push, by `pairOf`. */
  readonly #events = new Map<string, EventTimes>();
  /** Event ids of the push. */
  readonly #announced = new Set<string>();
  /** Teams that the push creates; not stored yet. */
  readonly #appeared = new Set<CatalogTeam>();
  /** How many games of the same teams and date have an id, by the id they share; as far as this push has counted. */
  readonly #counted = new Map<string, number>();
  /** How many of the games that an event founded it was unbound from. */
  readonly #lost: ReadonlyMap<string, number>;
  readonly #whole: PushedEvents | null;
  #mayFound: number;
  readonly #whyNoMore: string;

  constructor(source: string, known: PushFacts, whole: PushedEvents | null) {
    this.#source = source;
    this.#whole = whole;
    this.#teams = new TeamDirectory(known.teams);
    this.#lost = new Map(known.unbound.map(({ eventId, lost }) => [eventId, lost]));
    this.#mayFound = known.mayFound;
    this.#whyNoMore = known.whyNoMore ?? tooManyGames;
    for (const game of known.games) this.#addGame(game);
    for (const event of known.events) {
      const { eventId, commenceTime: time } = event;
      const bound = { eventId, time, gone: false };
      this.#bind(event);
      this.#boundTimes.set(eventId, bound);
      const pair = pairOfGame(this.#games.get(event.gameUuid));
      if (pair !== null) entryOf(this.#events, pair, EventTimes).add(bound);
    }
  }

  /** Notes that the push contains this event, and creates its teams where needed. */
  announce(lookup: EventLookup): Sides {
    const { league, eventId, commenceTime: time } = lookup;
    // A push that may found no game creates no team either: the event of a team that appears matches no game.
    const needsTeams = this.#mayFound > 0 && !this.#bound.has(eventId) && !this.#announced.has(eventId);
    this.#announced.add(eventId);
    const home = this.#teamOf(league, lookup.homeTeam, needsTeams);
    const away = this.#teamOf(league, lookup.awayTeam, needsTeams);
    const sides = { home: teamOf(home), away: teamOf(away), crowdedOut: crowdedOutOf(home) ?? crowdedOutOf(away) };
    const pair = pairOf(sides.home, sides.away);
    if (pair !== null) entryOf(this.#events, pair, EventTimes).add({ eventId, time, gone: false });
    return sides;
  }

  /** The game with this public id (in any case) or UUID. */
  named(gameId: string): GameResolution {
    const game = this.#publicIds.get(gameId.toUpperCase()) ?? this.#games.get(gameId.toLowerCase());
    return game === undefined ? refused('bad-event', 'no game has this game_id') : { kind: 'known', game, event: null };
  }

  resolve(lookup: EventLookup, sides: Sides): GameResolution {
    const { eventId, commenceTime } = lookup;
    const bound = this.#bound.get(eventId);
    if (bound !== undefined) return this.#known(lookup, bound);
    const { home, away } = sides;
    if (sides.crowdedOut !== null) return refused('bad-event', sides.crowdedOut);
    const pair = pairOf(home, away);
    if (pair === null) return this.#found(lookup, sides);
    if (home?.id === away?.id) return refused('bad-event', 'the home and the away team are the same');

    const besideAnother =
      this.#events.get(pair)?.hasOtherNear(eventId, commenceTime) === true ||
      this.#whole?.hasOtherNear(lookup, eventId, commenceTime) === true;
    const match = nearestGame(
      this.#free.get(pair) ?? [],
      commenceTime,
      besideAnother ? distanceBesideAnother : usualDistance,
    );
    if (match !== null) return this.#matched(lookup, sides, match);
    const turned = this.#starts.get(pairOf(away, home) as string)?.near(commenceTime) ?? null;
    if (turned !== null) return refused('game-conflict', otherWayRound(turned));
    const own = nearestGame(this.#abandonedBy(eventId, pair), commenceTime, usualDistance);
    const beside = besideAnother ? this.#starts.get(pair)?.near(commenceTime) : null;
    if (own === null) return this.#found(lookup, sides, beside ?? null);
    this.#noteStarts(pair, own);
    return this.#matched(lookup, sides, own);
  }

  /**
   * Games between these teams that this event founded and was unbound from, and that have no other event: the event may be bound to one
   * again.
   */
  #abandonedBy(eventId: string, pair: string): KnownGame[] {
    return Array.from({ length: this.#lost.get(eventId) ?? 0 }, (_, nth) => {
      return this.#games.get(foundedUuid(this.#source, eventId, nth));
    }).filter((game) => game !== undefined && game.boundBy === null && pairOfGame(game) === pair) as KnownGame[];
  }

  #matched({ league, eventId, commenceTime }: EventLookup, sides: Sides, game: KnownGame): GameResolution {
    const event = { eventId, league, gameUuid: game.uuid, commenceTime };
    this.#bind(event);
    return { kind: 'matched', game, event, newTeams: this.#takeAppeared(sides) };
  }

  #known({ league, eventId, commenceTime }: EventLookup, bound: BoundEvent): GameResolution {
    const game = this.#games.get(bound.gameUuid);
    if (game === undefined) throw new Error(`the game of event ${eventId} was not loaded`);
    if (game.league !== league) return refused('game-conflict', `this event id belongs to a game of ${game.league}`);
    if (bound.commenceTime === commenceTime) return { kind: 'known', game, event: null };
    const event = { ...bound, commenceTime };
    this.#bound.set(eventId, event);
    const reported = this.#boundTimes.get(eventId);
    if (reported !== undefined) reported.gone = true;
    return { kind: 'known', game, event };
  }

  /** Founds the event's own game, and mints it at once if both teams are known. `first`: one beside which it is this source's second. */
  #found(lookup: EventLookup, sides: Sides, first: KnownGame | null = null): GameResolution {
    const { league, eventId, homeTeam, awayTeam, commenceTime } = lookup;
    if (this.#mayFound <= 0) return refused('too-many-games', this.#whyNoMore);
    this.#mayFound -= 1;
    const { home, away } = sides;
    const game: KnownGame = {
      uuid: foundedUuid(this.#source, eventId, this.#lost.get(eventId) ?? 0),
      publicId: home !== null && away !== null ? this.#mint(league, away, home, commenceTime) : null,
      league,
      homeName: home?.name ?? homeTeam,
      awayName: away?.name ?? awayTeam,
      homeTeamId: home?.id ?? null,
      awayTeamId: away?.id ?? null,
      firstStart: commenceTime,
      scheduledStart: commenceTime,
      founderSource: this.#source,
      boundBy: { source: this.#source, eventId },
    };
    const event = { eventId, league, gameUuid: game.uuid, commenceTime };
    this.#addGame(game);
    this.#bind(event);
    return { kind: 'new', game, event, newTeams: this.#takeAppeared(sides), warning: warningOf(game, first) };
  }

  #mint(league: string, away: CatalogTeam, home: CatalogTeam, start: Micros): string {
    const base = publicIdBase(league, away.abbreviation, home.abbreviation, start);
    const { publicId, count } = nextPublicId(base, this.#counted.get(base) ?? 0, (id) => this.#publicIds.has(id));
    this.#counted.set(base, count);
    return publicId;
  }

  /** The team of this name; null if unknown; a text if it could not be created. */
  #teamOf(league: string, name: string, mayAppear: boolean): CatalogTeam | string | null {
    const found = this.#teams.find(league, name);
    if (found !== null || !teamsAppear(league) || !mayAppear) return found;
    const appearance = appearingTeam(league, name, this.#teams);
    if (appearance.kind !== 'team') return appearance.kind === 'crowded' ? crowdedOut(league, name) : null;
    this.#teams.addAppeared(appearance.team);
    this.#appeared.add(appearance.team);
    return appearance.team;
  }

  #takeAppeared({ home, away }: Sides): CatalogTeam[] {
    return [home, away].filter((team) => team !== null && this.#appeared.delete(team)) as CatalogTeam[];
  }

  #addGame(game: KnownGame): void {
    this.#games.set(game.uuid, game);
    if (game.publicId !== null) this.#publicIds.set(game.publicId, game);
    const pair = pairOfGame(game);
    // A game without events matches none and blocks none.
    if (pair === null || game.boundBy === null) return;
    entryOf(this.#free, pair, Set<KnownGame>).add(game);
    this.#noteStarts(pair, game);
  }

  #noteStarts(pair: string, game: KnownGame): void {
    const starts = entryOf(this.#starts, pair, StartTimes<KnownGame>);
    starts.add(game.firstStart, game);
    starts.add(game.scheduledStart, game);
  }

  #bind(event: BoundEvent): void {
    this.#bound.set(event.eventId, event);
    const game = this.#games.get(event.gameUuid);
    const pair = pairOfGame(game);
    if (pair !== null) this.#free.get(pair)?.delete(game as KnownGame);
  }
}

/** One key for two teams, home first; null if either is unknown. Team ids already include the league. */
function pairOf(home: { id: string } | null, away: { id: string } | null): string | null {
  return home === null || away === null ? null : `${home.id} ${away.id}`;
}

function pairOfGame(game: KnownGame | undefined): string | null {
  if (game === undefined || game.homeTeamId === null || game.awayTeamId === null) return null;
  return `${game.homeTeamId} ${game.awayTeamId}`;
}

/** The entry of `key`, created if missing. */
function entryOf<Entry>(map: Map<string, Entry>, key: string, make: new () => Entry): Entry {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = new make();
    map.set(key, entry);
  }
  return entry;
}

function teamOf(found: CatalogTeam | string | null): CatalogTeam | null {
  return typeof found === 'string' ? null : found;
}

function crowdedOutOf(found: CatalogTeam | string | null): string | null {
  return typeof found === 'string' ? found : null;
}

function refused(code: ResolveCode, detail: string): GameResolution {
  return { kind: 'refused', code, detail };
}
