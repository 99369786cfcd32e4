// The number under which a receipt lists an observation of MSF. Independent of the observation's outcome.

import type { League } from '../../schemas/reference/leagues.ts';
import { isCanonicalUuid } from '../games/uuid.ts';
import { feedNamed, gamePartsOf } from './feeds/feeds.ts';
import { leagueUuid } from './ids.ts';

/** Above every index of a push. */
const ofGames = 2 ** 31;

/**
 * The observation's index in the push. A league's injuries become one element per upcoming game; which games these are, and therefore the
 * indexes, may change when the push is sent again. So such an element is numbered by its game instead, and the result of an earlier attempt
 * is never taken for another element's. A record written straight to the log may name an invalid scope, which has no number.
 */
export function receiptPlace(
  index: number,
  feed: string | null,
  { uuid, league }: { uuid: string; league: string },
): number {
  const known = feed === null ? null : feedNamed(feed);
  if (known === null || gamePartsOf(known) === null) return index;
  if (!isCanonicalUuid(uuid) || uuid === leagueUuid(league as League)) return index;
  return ofGames + Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
