// Which game an event is about (quotes.md, "Resolving the game"): one pure function over what the catalog holds, so that the
// driver only loads and stores, inside one serialised transaction. Unaware of SQL, the log and the clock.
import type { CatalogTeam, GameReference } from '../ports/catalog/games.ts';
import type { Micros } from '../units.ts';
import type { TeamDirectory } from './team-directory.ts';

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
 * - `teams`: at least the teams and aliases of the leagues of the push (NCAAM: with all abbreviations in use);
 * - `games`: those named by a `by: 'id'` reference, those of the bound events, and those between the teams of an event of
 *   the push, either way round (all of them, or those whose first or current start is within two days of the event's or
 *   whose public id carries a date within two days of it);
 * - `events`: the bindings of this source: of the push's event ids, and of every game in `games`.
 */
export type Known = { teams: TeamDirectory; games: readonly KnownGame[]; events: readonly BoundEvent[] };

/**
 * Answer for one reference. `matched` and `new` carry the binding to store; `new` also the game to store, after the teams
 * (NCAAM) that appeared with it. `warning` names the team that is unknown: the game stays unminted.
 */
export type GameResolution =
  | { kind: 'known'; game: KnownGame; warning: string | null }
  | { kind: 'matched'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: string | null }
  | { kind: 'new'; game: KnownGame; event: BoundEvent; newTeams: readonly CatalogTeam[]; warning: string | null }
  | { kind: 'refused'; code: 'bad-event' | 'game-conflict'; detail: string };

/** Resolves the references of one push in order; each sees the effects of those before it and knows of those after it. */
export function resolvePush(source: string, references: readonly GameReference[], known: Known): GameResolution[] {
  throw new Error(`not written yet: ${source} ${references.length} ${known.games.length}`);
}
