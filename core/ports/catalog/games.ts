// Games, their events and teams, for ingest and discovery.
import type { GameStatus } from '../../games/status.ts';
import type { Micros } from '../../units.ts';

export type CatalogTeam = {
  id: string;
  league: string;
  name: string;
  abbreviation: string;
  city: string | null;
  nickname: string | null;
  conference: string | null;
  division: string | null;
  is_active: boolean;
};

export type CatalogGame = {
  uuid: string;
  /** Public id, or the UUID until minted. */
  gameId: string;
  minted: boolean;
  league: string;
  /** Eastern date of the scheduled start. */
  gameDate: string;
  firstStart: Micros;
  scheduledStart: Micros;
  fromSchedule: boolean;
  status: string;
  /** Whether its log is closed. */
  settled: boolean;
  /**
   * Log time of the game's newest log (docs/quotes.md#ticks); null if it has none. It decides an inferred start
   * (docs/quotes.md#scheduled-start).
   */
  logTime: Micros | null;
  founderSource: string;
  homeName: string;
  awayName: string;
  home: CatalogTeam | null;
  away: CatalogTeam | null;
};

/** How an event identifies its game (docs/quotes.md#the-native-event): the id of a known game, or enough to find or found one. */
export type GameLookup =
  | { by: 'id'; gameId: string }
  | { by: 'event'; league: string; eventId: string; homeTeam: string; awayTeam: string; commenceTime: Micros };

export type EventLookup = Extract<GameLookup, { by: 'event' }>;

export type ResolvedGame = {
  uuid: string;
  gameId: string;
  league: string;
  /** The `start` record to write before the observation, unless it is known to be in the log. */
  startToLog: { scheduledStart: Micros; source: string } | null;
  /** Whether its log is closed: further quotes are refused. */
  settled: boolean;
  /** A probable mistake in the event; its game is accepted all the same. */
  warning: GameWarning | null;
};

/**
 * `unknown-team`: a name identifies no team, so the game is not minted. `second-game`: the event has founded a game beside another one of
 * the same teams, date and source, which is right only for a double-header.
 */
export type GameWarning = { code: 'unknown-team' | 'second-game'; detail: string };

/** `too-many-games`: the source, or the feed key, has founded as many games as it may on this UTC day. */
export type ResolveCode = 'bad-event' | 'game-conflict' | 'too-many-games';

export type Resolution =
  | { kind: 'resolved'; game: ResolvedGame }
  | { kind: 'refused'; code: ResolveCode; detail: string };

/**
 * `status` is the status as shown: STARTED includes games whose start is only inferred from odds, and SCHEDULED excludes them
 * (core/games/shown-status.ts). `team` is a canonical name in any case; if no team has it, an id, abbreviation or nickname. Rows are
 * ordered by `gameDate`, then by the bytes of `gameId` (collate "C").
 */
export type GamesQuery = {
  league: string | null;
  status: string | null;
  dateFrom: string | null;
  dateTo: string | null;
  team: string | null;
  after: { gameDate: string; id: string } | null;
  limit: number;
};

/** Any game, from the first on. */
export const anyGame: Omit<GamesQuery, 'limit'> = {
  league: null,
  status: null,
  dateFrom: null,
  dateTo: null,
  team: null,
  after: null,
};

/** A page of the games with something on a board now; in the order of `GamesQuery`. */
export type OfferedQuery = Pick<GamesQuery, 'league' | 'after' | 'limit'>;

/** A game with two known teams. */
export type GameOfTeams = { uuid: string; gameId: string; homeTeamId: string; awayTeamId: string };

/** An event that is bound to a game, and the start it last reported. */
export type EventOfGame = { source: string; eventId: string; commenceTime: Micros };

/**
 * A name that a source has reported for a team. `forAll`: the abbreviation of the team that the name identifies for every source, or null.
 */
export type ReportedName = {
  league: string;
  name: string;
  source: string;
  abbreviation: string;
  forAll: string | null;
};

/** A game without a public id: at least one of its names identifies no team for its founder. */
export type UnresolvedGame = {
  uuid: string;
  league: string;
  homeName: string;
  awayName: string;
  founderSource: string;
  scheduledStart: Micros;
};

/** The administrator's change of a game's status from `from`. The catalog sets its time; later changes of a game have later times. */
export type StatusByHand = {
  game: Pick<CatalogGame, 'uuid' | 'gameId' | 'league'>;
  from: GameStatus;
  to: GameStatus;
  actor: string;
};

/** The source of a push, and its feed key, which may found `most` games per UTC day. */
export type Founder = { source: string; key: { id: string; most: number } | null };

export interface GamesCatalog {
  /**
   * Resolves the lookups of one push, in order, in one serialised transaction ("Resolving the game"). `source` owns the event ids;
   * `founder` is charged for games it founds, by default the source.
   */
  resolve(source: string, lookups: readonly GameLookup[], founder?: Founder): Promise<readonly Resolution[]>;
  /** What `resolve` would answer, without founding, binding or counting anything. */
  foresee(source: string, lookups: readonly GameLookup[], founder?: Founder): Promise<readonly Resolution[]>;
  /** Notes that the founding `start` records of these games are in the log. */
  startsLogged(uuids: readonly string[]): Promise<void>;
  /** The games that events of `source` are bound to, by event id; unbound events are absent. */
  gamesOfEvents(
    source: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, { uuid: string; gameId: string }>>;
  /**
   * Games of the league with two known teams, by public id, from the day before `day` (Eastern, `YYYY-MM-DD`) until they settle
   * (docs/revisions.md#feeds-and-datasets). A game that ended days ago counts as settled, whether its final files have landed or not.
   */
  unsettledGames(league: string, day: string): Promise<readonly GameOfTeams[]>;
  /** By public id (any case) or UUID. */
  find(id: string): Promise<CatalogGame | null>;
  list(query: GamesQuery): Promise<readonly CatalogGame[]>;
  /** Games whose live log has something on a board, and whose final sportsbook lines have not landed. */
  offered(query: OfferedQuery): Promise<readonly CatalogGame[]>;
  /** Ids of the league's teams by the names that `source` uses, found as for its games (core/games/team-directory.ts). */
  teamsNamed(source: string, league: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The abbreviation of the team that an added name identifies now, or null. */
  aliasedTeam(league: string, alias: string): Promise<string | null>;
  /**
   * Adds a name to a team, for all sources, even if it identified another team before, and mints the games that waited for it. Null: no
   * such team.
   */
  addAlias(league: string, alias: string, abbreviation: string): Promise<{ minted: readonly string[] } | null>;
  /** Names that sources have reported, by league and name; `waiting`: only those that apply to their source alone. */
  reportedNames(league: string | null, waiting: boolean): Promise<readonly ReportedName[]>;
  /** Games without a public id, oldest first. */
  unresolved(league: string | null, limit: number): Promise<readonly UnresolvedGame[]>;
  /** The events of a game, its founder's first. */
  eventsOf(gameUuid: string): Promise<readonly EventOfGame[]>;
  /**
   * Unbinds an event from its game, with an audit row, so that its next push is resolved anew. Returns the game's UUID, or null if the
   * event has none. A game without events is still served; it matches no event and blocks none.
   */
  unbind(source: string, eventId: string, actor: string): Promise<string | null>;
  /** Changes a game's status, with an audit row and a record to each fold that depends on it. False if the status is no longer `from`. */
  moveStatus(move: StatusByHand): Promise<boolean>;
  /** Drops a cached event as soon as any process unbinds it. Returns a function that stops watching. */
  watchUnbound(): Promise<() => Promise<void>>;
  /** Loads the code's team reference data; safe to repeat. */
  seedTeams(): Promise<void>;
}
