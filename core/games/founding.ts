// Founding games: the UUID of a new game, how many a push may found, and the message when it may not.
import type { GameWarning } from '../ports/catalog/games.ts';
import type { KnownGame } from './push-facts.ts';
import { serviceUuid } from './uuid.ts';

/** How many games a source may found on a UTC day. docs/quotes.md#caps. */
export const mostGamesADay = 5_000;

/**
 * The UUID of the game that an event founds: UUIDv5(N, `<source>/<event id>`). If the administrator has unbound the event from `lost` games
 * that it founded, those keep their UUIDs; the next game gets a name that cannot be a source's.
 */
export function foundedUuid(source: string, eventId: string, lost: number): string {
  return lost === 0 ? serviceUuid(source, eventId) : serviceUuid(`/${lost}`, source, eventId);
}

/**
 * The message when a new game is refused because a game of the same teams with home and away swapped exists, and how the administrator can
 * resolve it.
 */
export function otherWayRound({ publicId, uuid, founderSource, boundBy }: KnownGame): string {
  const blocking = `these teams meet the other way round within 12 hours in ${publicId ?? uuid}, which ${founderSource} founded`;
  if (boundBy === null) return blocking;
  const unbind = `./sds games unbind ${boundBy.source} ${JSON.stringify(boundBy.eventId)} --yes`;
  return `${blocking}; where that game is wrong, the administrator takes its events from it: ${unbind}`;
}

/** The warning for a game that is not minted because teams are unknown; null for any other game. */
export function unknownTeams(
  game: Pick<KnownGame, 'league' | 'homeName' | 'awayName' | 'homeTeamId' | 'awayTeamId'>,
): GameWarning | null {
  const { league, homeName, awayName, homeTeamId, awayTeamId } = game;
  const unknown = [homeTeamId === null ? homeName : null, awayTeamId === null ? awayName : null].filter(
    (name) => name !== null,
  );
  if (unknown.length === 0) return null;
  const [name] = unknown;
  const detail = `${league} has no team ${unknown.map((each) => JSON.stringify(each)).join(' and ')}, so the game has no public id: send its name or abbreviation of /v1/teams, or the administrator adds the name: ./sds teams alias ${league} ${JSON.stringify(name)} ABBREVIATION`;
  return { code: 'unknown-team', detail };
}

/**
 * The warning for a new game. `first`: a nearby game of the same teams that another event of this source belongs to; null if there is none.
 */
export function warningOf(game: KnownGame, first: KnownGame | null): GameWarning | null {
  const unknown = unknownTeams(game);
  if (unknown !== null || first === null) return unknown;
  const detail = `the event founds ${game.publicId ?? game.uuid} beside ${first.publicId ?? first.uuid}, a game of the same teams on that day, of which the source has another event: right for a double-header; one game keeps one event_id`;
  return { code: 'second-game', detail };
}

/**
 * How many games a push may found, and the message for the next one. On this UTC day its source has founded `bySource` games and its feed
 * key `byKey.games` of at most `byKey.most`.
 */
export function foundingsLeft(
  bySource: number,
  byKey: { games: number; most: number } | null,
): { mayFound: number; whyNoMore: string } {
  const ofSource = mostGamesADay - bySource;
  const ofKey = byKey === null ? Number.POSITIVE_INFINITY : byKey.most - byKey.games;
  if (byKey === null || ofSource <= ofKey) return { mayFound: ofSource, whyNoMore: tooManyGames };
  return { mayFound: ofKey, whyNoMore: tooManyFoundedBy('feed key', byKey.most, ' (SDS_FEED_QUOTAS)') };
}

export const tooManyGames = tooManyFoundedBy('source', mostGamesADay, '');

function tooManyFoundedBy(who: string, most: number, bySetting: string): string {
  return `the ${who} has founded ${most} games on this UTC day, the most it may${bySetting}; events of known games are still accepted, those of new games again from midnight UTC`;
}
