// Describes one feed of MySportsFeeds as a value (docs/revisions.md#feeds-and-datasets): what its bodies must contain, which scopes they
// are about, what they say, and how it is polled. Each feed is a module beside this one; feeds.ts lists them.
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
  /** The name in its route, in its path at the source and in its records. */
  readonly name: Name;
  readonly form: FeedForm;
  /** The list of its bodies that describes players, which are reference data. */
  readonly playersIn: string | null;
  /**
   * What an element says. Never throws: a member of the wrong type says nothing. Members that are left out are null or empty. `before` and
   * `text` only save memory and work: content equal to `before` is shared with it, and entries that `text` knows are not read again.
   */
  read(reading: ElementReading): Partial<FeedContent>;
  /** Where its elements contain statistics, in the order in which bad ones are reported. */
  readonly statistics: readonly StatisticsPlace[];
  /** The line-ups of an element, if the feed has them. */
  lineups?(league: League, element: JsonObject): Lineups;
  readonly polling: FeedPolling;
};

/**
 * How a feed's bodies are structured: about one game, a list of entries about a game each, about a league, or game lines, which are handled
 * as quotes. Each form names the lists that distinguish its bodies from those of other feeds, and what else makes a body or an entry
 * `bad-body`.
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
      /** The member of an entry that contains its game object. */
      readonly game: string;
      readonly gameForm: GameForm;
      problem?(entry: JsonValue, pointer: string): BadBody | null;
    }
  | {
      readonly kind: 'league';
      readonly list: string;
      problem?(body: JsonValue): BadBody | null;
      /** How game elements are derived from it; null for a feed about leagues only. */
      readonly ofGames: GameParts | null;
    }
  | { readonly kind: 'game-lines'; readonly list: string };

export type EntriesForm = Extract<FeedForm, { kind: 'entries' }>;

/** How game elements are derived from a league's element. */
export type GameParts = {
  /** The abbreviations of all teams in it. */
  abbreviations(leagueElement: JsonObject): string[];
  /** The entries of its list that belong to each game, by the ids of the game's two teams. */
  split(
    leagueElement: JsonObject,
    league: League,
    named: NamedTeams,
  ): (homeTeamId: string, awayTeamId: string) => JsonValue[];
};

/** An element being read; `text` is its text, if that is kept. */
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

/** How the source is polled for a feed (docs/revisions.md#poller). A pace that is null or left out means never. */
export type FeedPolling = {
  /** Recognises its name in `latest_updates`, letters only; null for `latest_updates` itself. */
  readonly called: RegExp | null;
  /** Whether its path is below a season; otherwise it is below its league. */
  readonly isOfSeason: boolean;
  /**
   * Seconds that the source asks clients to wait after a request for a whole season or for a day. There is no wait after one for a game.
   */
  readonly secondsAway: { readonly season: number; readonly day: number };
  /** When the first request is due: the list of games first, then what is about them, and heavy feeds last. */
  readonly firstAfter: Micros;
  /** How often to request the whole feed, given the shortest pace of the league's games. */
  whole?(shortest: Micros): PollPace;
  /** How often to request a day, given the phases of its games; at least one game is neither far nor past. */
  ofDay?(phases: ReadonlySet<GamePhase>): PollPace | null;
  /** How often to request a single game. */
  ofGame?(phase: GamePhase): PollPace | null;
};
