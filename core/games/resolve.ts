// Which game an event is about (quotes.md, "Resolving the game"): one pure function over what the catalog holds, so that the
// driver only loads and stores, inside one serialised transaction. Unaware of SQL, the log and the clock.
import type { CatalogTeam, GameReference } from '../ports/catalog/games.ts';
import { type Micros, microsPerHour } from '../units.ts';
import { nextPublicId, publicIdBase } from './public-id.ts';
import { EventTimes, halfDay, StartIndex } from './start-times.ts';
import { foldTeamName, TeamDirectory } from './team-directory.ts';
import { appearingTeam } from './teams.ts';
import { serviceUuid } from './uuid.ts';

/** A game as resolution needs it. A side is its team's id, or — while its name is unknown — null and the name. */
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

/** An event of the push's source that is bound to a game, with the start it told when it was bound. */
export type BoundEvent = { eventId: string; league: string; gameUuid: string; commenceTime: Micros };

/**
 * What the catalog holds that bears on a push:
 * - `teams`: the teams and aliases of the push's leagues (of NCAAM at least those it names, and the abbreviations in use);
 * - `games`: those named by a `by: 'id'` reference, those of the push's bound events, and those between the teams of an event
 *   of the push, either way round: all of them, or those of which the first start, the current start or the date in the
 *   public id is within two days of the event's start. A side that no team is known for is found by its name;
 * - `events`: the bindings of this source: of the push's event ids, and of every game in `games`.
 */
export type Known = { teams: TeamDirectory; games: readonly KnownGame[]; events: readonly BoundEvent[] };

/**
 * Answer for one reference. `matched` and `new` carry the binding to store; `new` also the game to store. `newTeams` (NCAAM)
 * are stored before either. `warning` names the teams that are unknown: the game stays unminted.
 */
export type GameResolution =
  | { kind: 'known'; game: KnownGame; warning: null }
  | { kind: 'matched'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: null }
  | { kind: 'new'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: string | null }
  | { kind: 'refused'; code: 'bad-event' | 'game-conflict'; detail: string };

type EventReference = Extract<GameReference, { by: 'event' }>;

/** A side of an event: the team, or — unknown — null and the name. `key` is equal for sides that are one. */
type Side = { key: string; name: string; team: CatalogTeam | null };
type Sides = { home: Side; away: Side };

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
  /** Games between two sides that no event of this source has taken, by `pairOf`. */
  readonly #free = new Map<string, Set<KnownGame>>();
  /** Starts of all games between two sides, by `pairOf`. */
  readonly #starts = new Map<string, StartIndex>();
  /** Events of this source between two sides, in the catalog and in the push, by `pairOf`. */
  readonly #events = new Map<string, EventTimes>();
  /** Teams that have appeared with the push and are not stored yet. */
  readonly #appeared = new Map<string, CatalogTeam>();
  /** The suffix last given to further games of the same teams and date, by their common id. */
  readonly #minted = new Map<string, number>();

  constructor(source: string, known: Known) {
    this.#source = source;
    this.#teams = new TeamDirectory(known.teams);
    for (const game of known.games) this.#addGame(game);
    for (const event of known.events) {
      const game = this.#games.get(event.gameUuid);
      this.#bind(event);
      if (game !== undefined) this.#addEvent(pairOf(keysOf(game)), event.eventId, event.commenceTime);
    }
  }

  /** Notes that the push holds this event, and brings its teams into being. */
  announce(reference: EventReference): Sides {
    const { league, eventId, commenceTime } = reference;
    const sides = this.#boundSides(eventId) ?? {
      home: this.#side(league, reference.homeTeam),
      away: this.#side(league, reference.awayTeam),
    };
    this.#addEvent(pairOf({ league, home: sides.home.key, away: sides.away.key }), eventId, commenceTime);
    return sides;
  }

  /** The sides of the game that an event is bound to: it needs no names, and makes no teams. */
  #boundSides(eventId: string): Sides | null {
    const game = this.#games.get(this.#bound.get(eventId)?.gameUuid ?? '');
    if (game === undefined) return null;
    const { home, away } = keysOf(game);
    return {
      home: { key: home, name: game.homeName, team: null },
      away: { key: away, name: game.awayName, team: null },
    };
  }

  /** The game with this public id (in any case) or UUID. */
  named(gameId: string): GameResolution {
    const game = this.#publicIds.get(gameId.toUpperCase()) ?? this.#games.get(gameId.toLowerCase());
    return game === undefined
      ? refused('bad-event', 'no game has this game_id')
      : { kind: 'known', game, warning: null };
  }

  resolve(reference: EventReference, sides: Sides): GameResolution {
    const { league, eventId, commenceTime } = reference;
    const bound = this.#bound.get(eventId);
    if (bound !== undefined) return this.#known(reference, bound);
    if (sides.home.key === sides.away.key) return refused('bad-event', 'the home and the away team are the same');

    const pair = pairOf({ league, home: sides.home.key, away: sides.away.key });
    const besideAnother = this.#events.get(pair)?.hasOtherNear(eventId, commenceTime) === true;
    const match = nearest(this.#free.get(pair) ?? [], commenceTime, besideAnother ? reachBesideAnother : usualReach);
    if (match !== null) {
      const event = { eventId, league, gameUuid: match.uuid, commenceTime };
      this.#bind(event);
      return { kind: 'matched', game: match, event, newTeams: this.#takeAppeared(sides), warning: null };
    }
    const reverse = pairOf({ league, home: sides.away.key, away: sides.home.key });
    if (this.#starts.get(reverse)?.hasNear(commenceTime)) {
      return refused('game-conflict', 'these teams meet the other way round within 12 hours');
    }
    return this.#found(reference, sides);
  }

  #known(reference: EventReference, bound: BoundEvent): GameResolution {
    const game = this.#games.get(bound.gameUuid);
    if (game === undefined) throw new Error(`the game of event ${bound.eventId} was not loaded`);
    if (game.league !== reference.league) {
      return refused('game-conflict', `this event id belongs to a game of ${game.league}`);
    }
    return { kind: 'known', game, warning: null };
  }

  /** Founds the event's own game; minted at once when both teams are known. */
  #found({ league, eventId, commenceTime }: EventReference, { home, away }: Sides): GameResolution {
    const game: KnownGame = {
      uuid: serviceUuid(this.#source, eventId),
      publicId:
        home.team !== null && away.team !== null ? this.#mint(league, away.team, home.team, commenceTime) : null,
      league,
      homeName: home.name,
      awayName: away.name,
      homeTeamId: home.team?.id ?? null,
      awayTeamId: away.team?.id ?? null,
      firstStart: commenceTime,
      scheduledStart: commenceTime,
    };
    const event = { eventId, league, gameUuid: game.uuid, commenceTime };
    this.#addGame(game);
    this.#bind(event);
    const unknown = [home, away].filter((side) => side.team === null).map((side) => JSON.stringify(side.name));
    const warning = unknown.length === 0 ? null : `${league} knows no team ${unknown.join(' and no team ')}`;
    return { kind: 'new', game, event, newTeams: this.#takeAppeared({ home, away }), warning };
  }

  #mint(league: string, away: CatalogTeam, home: CatalogTeam, start: Micros): string {
    const base = publicIdBase(league, away.abbreviation, home.abbreviation, start);
    const after = this.#minted.get(base) ?? 0;
    const { publicId, count } = nextPublicId(base, after, (id) => this.#publicIds.has(id));
    this.#minted.set(base, count);
    return publicId;
  }

  #side(league: string, name: string): Side {
    let team = this.#teams.find(league, name);
    if (team === null && league === 'NCAAM') {
      team = appearingTeam(league, name, this.#teams);
      if (team !== null) {
        this.#teams.add(team);
        this.#appeared.set(team.id, team);
      }
    }
    return { key: sideKey(team?.id ?? null, name), name: team?.name ?? name, team };
  }

  #takeAppeared({ home, away }: Sides): CatalogTeam[] {
    return [home, away].flatMap(({ team }) => (team !== null && this.#appeared.delete(team.id) ? [team] : []));
  }

  #addGame(game: KnownGame): void {
    this.#games.set(game.uuid, game);
    if (game.publicId !== null) this.#publicIds.set(game.publicId, game);
    const pair = pairOf(keysOf(game));
    const free = this.#free.get(pair);
    if (free === undefined) this.#free.set(pair, new Set([game]));
    else free.add(game);
    let starts = this.#starts.get(pair);
    if (starts === undefined) {
      starts = new StartIndex();
      this.#starts.set(pair, starts);
    }
    starts.add(game.firstStart);
    starts.add(game.scheduledStart);
  }

  #bind(event: BoundEvent): void {
    this.#bound.set(event.eventId, event);
    const game = this.#games.get(event.gameUuid);
    if (game !== undefined) this.#free.get(pairOf(keysOf(game)))?.delete(game);
  }

  #addEvent(pair: string, eventId: string, time: Micros): void {
    let events = this.#events.get(pair);
    if (events === undefined) {
      events = new EventTimes();
      this.#events.set(pair, events);
    }
    events.add(eventId, time);
  }
}

/** The game that starts nearest to `time`, at most `reach` away; ties: the earlier start, then the smaller public id. */
function nearest(games: Iterable<KnownGame>, time: Micros, reach: Micros): KnownGame | null {
  let best: { game: KnownGame; distance: Micros; start: Micros } | null = null;
  for (const game of games) {
    const start = nearerStart(game, time);
    const candidate = { game, start, distance: Math.abs(start - time) };
    if (candidate.distance <= reach && (best === null || goesBefore(candidate, best))) best = candidate;
  }
  return best?.game ?? null;
}

type Candidate = { game: KnownGame; distance: Micros; start: Micros };

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

function keysOf(game: KnownGame): { league: string; home: string; away: string } {
  return {
    league: game.league,
    home: sideKey(game.homeTeamId, game.homeName),
    away: sideKey(game.awayTeamId, game.awayName),
  };
}

function sideKey(teamId: string | null, name: string): string {
  return teamId ?? `?${foldTeamName(name)}`;
}

/** One text for a league and two sides, home first. */
function pairOf({ league, home, away }: { league: string; home: string; away: string }): string {
  return JSON.stringify([league, home, away]);
}

function refused(code: 'bad-event' | 'game-conflict', detail: string): GameResolution {
  return { kind: 'refused', code, detail };
}
