// All that the service knows of one feed of MySportsFeeds, as a value (docs/revisions.md#feeds-and-datasets): what its bodies must have, whose
// they are, what they say, and how it is polled. Unaware of the feeds that there are: each is a module beside this one, and feeds.ts lists them.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Micros } from '../../units.ts';
import type { BadBody } from '../bodies/bad-body.ts';
import type { ElementText } from '../bodies/element-text.ts';
import type { GameForm } from '../bodies/game-object.ts';
import type { NamedTeams } from '../bodies/injuries.ts';
import type { GamePhase, PollPace } from '../polling/paces.ts';
import type { FeedContent } from '../states/feed-content.ts';
import type { Lineups } from '../states/lineups.ts';

export type FeedDescriptor<Name extends string = string> = {
  /** As its route, its path at the source and its records call it. */
  readonly name: Name;
  readonly form: FeedForm;
  /** The list of its bodies that describes players, who are reference data. */
  readonly playersIn: string | null;
  /**
   * What an element says. Total: a member that is not what it should be says nothing. What is left out is null or empty. What the content
   * `before` held already is held once, and what `text` has met before is not read again: neither changes anything else.
   */
  read(reading: ElementReading): Partial<FeedContent>;
  /** Where its elements have statistics, in the order in which bad ones are named. */
  readonly statistics: readonly StatisticsPlace[];
  /** Who begins the game of an element, where the feed is about that. */
  lineups?(league: League, element: JsonObject): Lineups;
  readonly polling: FeedPolling;
};

/**
 * How a feed's bodies are made up: of one game, of entries that are each of a game, of a league, or of lines, which go the way of quotes. In
 * each the lists are named that tell its bodies from those of other feeds, and what else makes a body, or an entry, `bad-body`.
 */
export type FeedForm =
  | {
      readonly kind: 'game';
      lists(league: League): readonly (readonly string[])[];
      problem?(league: League, body: JsonValue): BadBody | null;
    }
  | {
      readonly kind: 'entries';
      readonly list: string;
      /** The member of an entry that is its game object. */
      readonly game: string;
      readonly gameForm: GameForm;
      problem?(entry: JsonValue, pointer: string): BadBody | null;
    }
  | {
      readonly kind: 'league';
      readonly list: string;
      problem?(body: JsonValue): BadBody | null;
      /** What of it is an element of a game too; null of a feed that is of leagues alone. */
      readonly ofGames: GameParts | null;
    }
  | { readonly kind: 'game-lines'; readonly list: string };

export type EntriesForm = Extract<FeedForm, { kind: 'entries' }>;

/** How elements of games are made of a league's. */
export type GameParts = {
  /** The abbreviations of teams that it names. */
  abbreviations(leagueElement: JsonObject): string[];
  /** The entries of its list that a game's element has, by the ids of the game's two teams. */
  split(
    leagueElement: JsonObject,
    league: League,
    named: NamedTeams,
  ): (homeTeamId: string, awayTeamId: string) => JsonValue[];
};

/** An element that is read; `text` is its text, where that is kept. */
type ElementReading = {
  readonly league: League;
  readonly msfGameId: number | null;
  readonly element: JsonObject;
  readonly before: FeedContent | null;
  readonly text: ElementText | null;
};

/** The object at a path; or `member` of each entry of the list at it. */
export type StatisticsPlace =
  | { readonly at: readonly string[] }
  | { readonly list: readonly string[]; readonly member: string };

/** How a feed is asked for at the source (docs/revisions.md#poller). A pace that is left out, or null, is never. */
export type FeedPolling = {
  /** What tells it among `latest_updates`, of the letters of a name; null of the list itself. */
  readonly called: RegExp | null;
  /** Whether it is found below a season; else below its league. */
  readonly isOfSeason: boolean;
  /** Seconds that the source asks to stay away after a request for a whole season, or for a day; after one for a game none. */
  readonly secondsAway: { readonly season: number; readonly day: number };
  /** When it is due as long as it was never asked for: the games before what is said of them, heavy feeds when those have had their turn. */
  readonly firstAfter: Micros;
  /** How often the whole of it is wanted, by the shortest pace of the league's games. */
  whole?(shortest: Micros): PollPace;
  /** How often a day of it is, by the phases of the day's games: one at least is neither far nor past. */
  ofDay?(phases: ReadonlySet<GamePhase>): PollPace | null;
  /** How often what it says of a game is. */
  ofGame?(phase: GamePhase): PollPace | null;
};
