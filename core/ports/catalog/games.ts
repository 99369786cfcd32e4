// The catalog as ingest and discovery know it: games, their events and teams.
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
  /** Public id, or the UUID while not minted. */
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
   * Log time of the game's newest log (docs/quotes.md#ticks), null without one: what an inferred start is judged by
   * (docs/quotes.md#scheduled-start).
   */
  logTime: Micros | null;
  founderSource: string;
  homeName: string;
  awayName: string;
  home: CatalogTeam | null;
  away: CatalogTeam | null;
};

/** What an event says of its game (docs/quotes.md#the-native-event): a name for a known game, or enough to find or found one. */
export type GameReference =
  | { by: 'id'; gameId: string }
  | { by: 'event'; league: string; eventId: string; homeTeam: string; awayTeam: string; commenceTime: Micros };

export type ResolvedGame = {
  uuid: string;
  gameId: string;
  league: string;
  /** The `start` record that has to precede the observation in the log, when it is not known to be there. */
  startToLog: { scheduledStart: Micros; source: string } | null;
  /** Whether its log is closed: no more quotes of it count. */
  settled: boolean;
  /** An unknown team name: the game is accepted but unminted. */
  warning: string | null;
};

/** `too-many-games`: its source, or the key that pushes, has founded as many games as it may on this UTC day. */
export type ResolveCode = 'bad-event' | 'game-conflict' | 'too-many-games';

export type Resolution =
  | { kind: 'resolved'; game: ResolvedGame }
  | { kind: 'refused'; code: ResolveCode; detail: string };

/**
 * `status` is the status as shown, so STARTED finds the games whose start is inferred from odds alone and SCHEDULED leaves them out
 * (core/games/shown-status.ts); `team` is a canonical name in any case; rows come by `gameDate`, then by `gameId` as bytes (collate "C").
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

/** A game both of whose teams are known. */
export type GameOfTeams = { uuid: string; gameId: string; homeTeamId: string; awayTeamId: string };

/** An event that is bound to a game, with the start that it told last. */
export type EventOfGame = { source: string; eventId: string; commenceTime: Micros };

/** A name that a source has told of a team. `forAll`: abbreviation of the team for which it stands for every source, or null. */
export type ToldName = { league: string; name: string; source: string; abbreviation: string; forAll: string | null };

/** A game without an id: at least one of the names is none that its founder's names find. */
export type UnresolvedGame = {
  uuid: string;
  league: string;
  homeName: string;
  awayName: string;
  founderSource: string;
  scheduledStart: Micros;
};

/** A status that the administrator gives, at `at`, to a game that has the status `from`. */
export type StatusByHand = {
  game: Pick<CatalogGame, 'uuid' | 'gameId' | 'league'>;
  from: GameStatus;
  to: GameStatus;
  at: Micros;
  actor: string;
};

/** Whose push it is, and with which feed key: `most` games a UTC day. */
export type Founder = { source: string; key: { id: string; most: number } | null };

export interface GamesCatalog {
  /**
   * Resolves the references of one push, in order, in one serialised transaction ("Resolving the game"). `source` is whose event ids they have,
   * `founder` as whose the games count that are founded; left out: as those of the source.
   */
  resolve(source: string, references: readonly GameReference[], founder?: Founder): Promise<readonly Resolution[]>;
  /** The founding `start` records of these games are in the log. */
  startsLogged(uuids: readonly string[]): Promise<void>;
  /** The games that events of `source` are bound to, by event id; what is bound to none is absent. */
  gamesOfEvents(
    source: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, { uuid: string; gameId: string }>>;
  /**
   * Games of the league with two known teams from the day before theirs, `day` (Eastern, `YYYY-MM-DD`), until they have settled, by public
   * id (docs/revisions.md#feeds-and-datasets). A game of days ago that is over counts as settled, whether its final files have landed or not.
   */
  unsettledGames(league: string, day: string): Promise<readonly GameOfTeams[]>;
  /** By public id (any case) or UUID. */
  find(id: string): Promise<CatalogGame | null>;
  list(query: GamesQuery): Promise<readonly CatalogGame[]>;
  /** Ids of the league's teams by these names of `source`, which find a team as those of its games do (core/games/team-directory.ts). */
  teamsNamed(source: string, league: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Abbreviation of the team that an added name stands for now, or null. */
  aliasedTeam(league: string, alias: string): Promise<string | null>;
  /** Adds a name to a team, for all sources, also one that stood for another, and mints the games that waited for it. Null: no such team. */
  addAlias(league: string, alias: string, abbreviation: string): Promise<{ minted: readonly string[] } | null>;
  /** Names that sources have told, by league and name; `waiting`: only those that hold for their sources alone. */
  toldNames(league: string | null, waiting: boolean): Promise<readonly ToldName[]>;
  /** Games without an id, oldest first. */
  unresolved(league: string | null, limit: number): Promise<readonly UnresolvedGame[]>;
  /** The events of a game, its founder's first. */
  eventsOf(gameUuid: string): Promise<readonly EventOfGame[]>;
  /**
   * Takes an event from its game, with an audit row, so that its next push resolves anew; the game's UUID, or null where the event has none. A
   * game without events stays served; it matches no event and keeps none away.
   */
  unbind(source: string, eventId: string, actor: string): Promise<string | null>;
  /** Moves a game's status, with an audit row and a record to each fold that depends on it. False where the game has another status than `from` by now. */
  moveStatus(move: StatusByHand): Promise<boolean>;
  /** Forgets what is remembered of an event as soon as it is taken from its game, by whatever process. Returns a way to stop. */
  watchUnbound(): Promise<() => Promise<void>>;
  /** Loads the team reference data of the code; safe to repeat. */
  seedTeams(): Promise<void>;
}
