// The founding of games: under which UUID, how many, and what is said where one may not be founded.
import type { KnownGame } from './resolve.ts';
import { serviceUuid } from './uuid.ts';

/** How many games a source may found on a UTC day. docs/quotes.md#caps. */
export const mostGamesADay = 5_000;

/**
 * The UUID of the game that an event founds: UUIDv5(N, `<source>/<event id>`). The administrator may have taken the event from `lost` games of
 * its founding, which keep their UUIDs: the next one is named by what is no name of a source.
 */
export function foundedUuid(source: string, eventId: string, lost: number): string {
  return lost === 0 ? serviceUuid(source, eventId) : serviceUuid(`/${lost}`, source, eventId);
}

/** Why no game is founded beside one of the same teams the other way round, and who can do something about that one. */
export function otherWayRound({ publicId, uuid, founderSource, boundBy }: KnownGame): string {
  const blocking = `these teams meet the other way round within 12 hours in ${publicId ?? uuid}, which ${founderSource} founded`;
  if (boundBy === null) return blocking;
  const unbind = `sds games unbind ${boundBy.source} ${JSON.stringify(boundBy.eventId)} --yes`;
  return `${blocking}; where that game is wrong, the administrator takes its events from it: ${unbind}`;
}

/**
 * How many games a push may found, where its source has founded `bySource` on this UTC day, and its feed key `byKey.games` of `byKey.most`; and
 * why it may found no more.
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
  return `the ${who} has founded ${most} games on this UTC day, the most it may${bySetting}; events of known games are taken, those of new ones again from midnight UTC`;
}
