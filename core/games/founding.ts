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

export const tooManyGames = `the source has founded ${mostGamesADay} games on this UTC day, the most it may; events of known games are taken, those of new ones again from midnight UTC`;
