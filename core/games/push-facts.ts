// What resolution needs to know of the catalog for a push (docs/quotes.md#resolving-the-game).
import type { Micros } from '../units.ts';
import type { TeamDirectory } from './team-directory.ts';

/** A game as resolution needs it; a side with an unknown name has no team id. */
export type KnownGame = {
  uuid: string;
  /** Null until minted. */
  publicId: string | null;
  league: string;
  homeName: string;
  awayName: string;
  homeTeamId: string | null;
  awayTeamId: string | null;
  firstStart: Micros;
  /** The current start; only applied records move it. */
  scheduledStart: Micros;
  founderSource: string;
  /** An event bound to the game, preferably its founder's; null if the administrator has unbound them all. */
  boundBy: { source: string; eventId: string } | null;
};

/** An event of the push's source that is bound to a game, and the start it last reported. */
export type BoundEvent = { eventId: string; league: string; gameUuid: string; commenceTime: Micros };

/** An event that the administrator has unbound from its game; `lost`: from how many games that it founded. */
export type UnboundEvent = { eventId: string; lost: number };

/**
 * What a push needs from the catalog:
 * - `teams`: the teams with the names in the push, and which abbreviations are taken among those a new team could use;
 * - `games`: those of `by: 'id'` lookups, those of the push's bound events, and those between the two teams of an event, in either
 * home/away order: all of them, or those whose first start, current start or date in the public id is within two days of the event's start;
 * - `events`: this source's bindings of the push's event ids, and of every game in `games`;
 * - `unbound`: the push's event ids that were unbound from their games;
 * - `mayFound`: how many games it may found, and `whyNoMore`; if absent, the cap of its source applies.
 */
export type PushFacts = {
  teams: TeamDirectory;
  games: readonly KnownGame[];
  events: readonly BoundEvent[];
  unbound: readonly UnboundEvent[];
  mayFound: number;
  whyNoMore?: string;
};
