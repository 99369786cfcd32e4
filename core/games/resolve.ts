// Which game an event is about (quotes.md, "Resolving the game"): one pure function over what the catalog holds, so that the
// driver only loads and stores, inside one serialised transaction. Unaware of SQL, the log and the clock.
import type { CatalogTeam, GameReference } from '../ports/catalog/games.ts';
import { type Micros, microsPerHour } from '../units.ts';
import { nextPublicId, publicIdBase } from './public-id.ts';
import { type EventTime, EventTimes, halfDay, StartTimes } from './start-times.ts';
import { TeamDirectory } from './team-directory.ts';
import { appearingTeam } from './teams.ts';
import { serviceUuid } from './uuid.ts';

/** A game as resolution needs it; a side whose name is unknown has no team id. */
export type KnownGame = {
  uuid: string;
  /** Null while not minted. */
  publicId: string | null;
  league: string;
  homeName: string;
  awayName: string;
  homeTeamId: string | null;
  awayTeamId: string | null;
  firstStart: Micros;
  /** The current start: moved by applied records only. */
  scheduledStart: Micros;
};

/** An event of the push's source that is bound to a game, with the start that it told last. */
export type BoundEvent = { eventId: string; league: string; gameUuid: string; commenceTime: Micros };

/**
 * What the catalog holds that bears on a push:
 * - `teams`: the teams and aliases of the push's leagues (of NCAAM at least those it names, and the abbreviations in use);
 * - `games`: those named by a `by: 'id'` reference, those of the push's bound events, and those between the two teams of an
 *   event of the push, either way round: all of them, or those of which the first start, the current start or the date in
 *   the public id is within two days of the event's start;
 * - `events`: the bindings of this source: of the push's event ids, and of every game in `games`.
 */
export type Known = { teams: TeamDirectory; games: readonly KnownGame[]; events: readonly BoundEvent[] };

/**
 * Answer for one reference. `event` is the binding to store: a new one, or (`known`) one whose start has moved, else null.
 * `newTeams` (NCAAM) and a `new` game are stored before it. `warning` names the teams that are unknown: the game stays
 * unminted.
 */
export type GameResolution =
  | { kind: 'known'; game: KnownGame; event: BoundEvent | null }
  | { kind: 'matched'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[] }
  | { kind: 'new'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: string | null }
  | { kind: 'refused'; code: 'bad-event' | 'game-conflict'; detail: string };

type EventReference = Extract<GameReference, { by: 'event' }>;
type Sides = { home: CatalogTeam | null; away: CatalogTeam | null };

/** How far off a game may start, and how far when the source has another event of these teams nearby. */
const usualReach: Micros = halfDay;
const reachBesideAnother: Micros = 3 * microsPerHour;

/** Resolves the references of one push in order; each sees the effects of those before it and knows of those after it. */
export function resolvePush(source: string, references: readonly GameReference[], known: Known): GameResolution[] {
  const push = new PushResolution(source, known);
  const sides = references.map((reference) => (reference.by === 'event' ? push.announce(reference) : null));
  return references.map((reference, at) =>
    reference.by === 'id' ? push.named(reference.gameId) : push.resolve(reference, sides[at] as Sides),
  );
}

/** What is known while a push is resolved: the catalog's state, and what the push adds to it. */
class PushResolution {
  readonly #source: string;
  readonly #teams: TeamDirectory;
  readonly #games = new Map<string, KnownGame>();
  readonly #publicIds = new Map<string, KnownGame>();
  readonly #bound = new Map<string, BoundEvent>();
  /** The start of each bound event as it stands in `#events`. */
  readonly #toldTimes = new Map<string, EventTime>();
  /** Games between two teams that no event of this source has taken, by `pairOf`. */
  readonly #free = new Map<string, Set<KnownGame>>();
  /** Starts of all games between two teams, by `pairOf`. */
  readonly #starts = new Map<string, StartTimes>();
  /** Events of this source between two teams, in the catalog and in the push, by `pairOf`. */
  readonly #events = new Map<string, EventTimes>();
  /** Event ids that the push has announced. */
  readonly #announced = new Set<string>();
  /** Teams that have appeared with the push and are not stored yet. */
  readonly #appeared = new Set<CatalogTeam>();
  /** How many games of the same teams and date have an id, by their common id; as far as this push has counted. */
  readonly #counted = new Map<string, number>();

  constructor(source: string, known: Known) {
    this.#source = source;
    this.#teams = new TeamDirectory(known.teams);
    for (const game of known.games) this.#addGame(game);
    for (const event of known.events) {
      const { eventId, commenceTime: time } = event;
      const told = { eventId, time, gone: false };
      this.#bind(event);
      this.#toldTimes.set(eventId, told);
      const pair = pairOfGame(this.#games.get(event.gameUuid));
      if (pair !== null) entryOf(this.#events, pair, EventTimes).add(told);
    }
  }

  /** Notes that the push holds this event, and brings its teams into being where it needs them. */
  announce(reference: EventReference): Sides {
    const { league, eventId, commenceTime: time } = reference;
    const needsTeams = !this.#bound.has(eventId) && !this.#announced.has(eventId);
    this.#announced.add(eventId);
    const home = this.#teamOf(league, reference.homeTeam, needsTeams);
    const away = this.#teamOf(league, reference.awayTeam, needsTeams);
    const pair = pairOf(home, away);
    if (pair !== null) entryOf(this.#events, pair, EventTimes).add({ eventId, time, gone: false });
    return { home, away };
  }

  /** The game with this public id (in any case) or UUID. */
  named(gameId: string): GameResolution {
    const game = this.#publicIds.get(gameId.toUpperCase()) ?? this.#games.get(gameId.toLowerCase());
    return game === undefined ? refused('bad-event', 'no game has this game_id') : { kind: 'known', game, event: null };
  }

  resolve(reference: EventReference, sides: Sides): GameResolution {
    const { league, eventId, commenceTime } = reference;
    const bound = this.#bound.get(eventId);
    if (bound !== undefined) return this.#known(reference, bound);
    const { home, away } = sides;
    const pair = pairOf(home, away);
    if (pair === null) return this.#found(reference, sides);
    if (home?.id === away?.id) return refused('bad-event', 'the home and the away team are the same');

    const besideAnother = this.#events.get(pair)?.hasOtherNear(eventId, commenceTime) === true;
    const match = nearest(this.#free.get(pair) ?? [], commenceTime, besideAnother ? reachBesideAnother : usualReach);
    if (match !== null) {
      const event = { eventId, league, gameUuid: match.uuid, commenceTime };
      this.#bind(event);
      return { kind: 'matched', game: match, event, newTeams: this.#takeAppeared(sides) };
    }
    if (this.#starts.get(pairOf(away, home) as string)?.hasNear(commenceTime)) {
      return refused('game-conflict', 'these teams meet the other way round within 12 hours');
    }
    return this.#found(reference, sides);
  }

  #known({ league, eventId, commenceTime }: EventReference, bound: BoundEvent): GameResolution {
    const game = this.#games.get(bound.gameUuid);
    if (game === undefined) throw new Error(`the game of event ${eventId} was not loaded`);
    if (game.league !== league) return refused('game-conflict', `this event id belongs to a game of ${game.league}`);
    if (bound.commenceTime === commenceTime) return { kind: 'known', game, event: null };
    const event = { ...bound, commenceTime };
    this.#bound.set(eventId, event);
    const told = this.#toldTimes.get(eventId);
    if (told !== undefined) told.gone = true;
    return { kind: 'known', game, event };
  }

  /** Founds the event's own game; minted at once when both teams are known. */
  #found({ league, eventId, homeTeam, awayTeam, commenceTime }: EventReference, sides: Sides): GameResolution {
    const { home, away } = sides;
    const game: KnownGame = {
      uuid: serviceUuid(this.#source, eventId),
      publicId: home !== null && away !== null ? this.#mint(league, away, home, commenceTime) : null,
      league,
      homeName: home?.name ?? homeTeam,
      awayName: away?.name ?? awayTeam,
      homeTeamId: home?.id ?? null,
      awayTeamId: away?.id ?? null,
      firstStart: commenceTime,
      scheduledStart: commenceTime,
    };
    const event = { eventId, league, gameUuid: game.uuid, commenceTime };
    this.#addGame(game);
    this.#bind(event);
    const unknown = [home === null ? homeTeam : null, away === null ? awayTeam : null].filter((name) => name !== null);
    const warning = unknown.length === 0 ? null : `${league} knows no team ${JSON.stringify(unknown)}`;
    return { kind: 'new', game, event, newTeams: this.#takeAppeared(sides), warning };
  }

  #mint(league: string, away: CatalogTeam, home: CatalogTeam, start: Micros): string {
    const base = publicIdBase(league, away.abbreviation, home.abbreviation, start);
    const { publicId, count } = nextPublicId(base, this.#counted.get(base) ?? 0, (id) => this.#publicIds.has(id));
    this.#counted.set(base, count);
    return publicId;
  }

  #teamOf(league: string, name: string, mayAppear: boolean): CatalogTeam | null {
    const found = this.#teams.find(league, name);
    if (found !== null || league !== 'NCAAM' || !mayAppear) return found;
    const team = appearingTeam(league, name, this.#teams);
    if (team === null) return null;
    this.#teams.add(team);
    this.#appeared.add(team);
    return team;
  }

  #takeAppeared({ home, away }: Sides): CatalogTeam[] {
    return [home, away].filter((team) => team !== null && this.#appeared.delete(team)) as CatalogTeam[];
  }

  #addGame(game: KnownGame): void {
    this.#games.set(game.uuid, game);
    if (game.publicId !== null) this.#publicIds.set(game.publicId, game);
    const pair = pairOfGame(game);
    if (pair === null) return;
    entryOf(this.#free, pair, Set<KnownGame>).add(game);
    const starts = entryOf(this.#starts, pair, StartTimes);
    starts.add(game.firstStart);
    starts.add(game.scheduledStart);
  }

  #bind(event: BoundEvent): void {
    this.#bound.set(event.eventId, event);
    const game = this.#games.get(event.gameUuid);
    const pair = pairOfGame(game);
    if (pair !== null) this.#free.get(pair)?.delete(game as KnownGame);
  }
}

type Candidate = { game: KnownGame; distance: Micros; start: Micros };

/** The game that starts nearest to `time`, at most `reach` away; ties: the earlier start, then the smaller public id. */
function nearest(games: Iterable<KnownGame>, time: Micros, reach: Micros): KnownGame | null {
  let best: Candidate | null = null;
  for (const game of games) {
    const start = nearerStart(game, time);
    const candidate = { game, start, distance: Math.abs(start - time) };
    if (candidate.distance <= reach && (best === null || goesBefore(candidate, best))) best = candidate;
  }
  return best?.game ?? null;
}

function goesBefore(a: Candidate, b: Candidate): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  if (a.start !== b.start) return a.start < b.start;
  return (a.game.publicId ?? a.game.uuid) < (b.game.publicId ?? b.game.uuid);
}

/** The first or the current start, whichever is nearer to `time`; the earlier one where both are. */
function nearerStart({ firstStart, scheduledStart }: KnownGame, time: Micros): Micros {
  const [earlier, later] = firstStart <= scheduledStart ? [firstStart, scheduledStart] : [scheduledStart, firstStart];
  return Math.abs(later - time) < Math.abs(earlier - time) ? later : earlier;
}

/** One text for two teams, home first; null while one of them is unknown. Team ids are of one league. */
function pairOf(home: { id: string } | null, away: { id: string } | null): string | null {
  return home === null || away === null ? null : `${home.id} ${away.id}`;
}

function pairOfGame(game: KnownGame | undefined): string | null {
  if (game === undefined || game.homeTeamId === null || game.awayTeamId === null) return null;
  return `${game.homeTeamId} ${game.awayTeamId}`;
}

/** The entry of `key`, made when it is missing. */
function entryOf<Entry>(map: Map<string, Entry>, key: string, make: new () => Entry): Entry {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = new make();
    map.set(key, entry);
  }
  return entry;
}

function refused(code: 'bad-event' | 'game-conflict', detail: string): GameResolution {
  return { kind: 'refused', code, detail };
}
