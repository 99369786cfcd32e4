// By which number a receipt counts an observation of MSF. Unaware of what becomes of it.

import type { League } from '../../schemas/reference/leagues.ts';
import { isCanonicalUuid } from '../games/uuid.ts';
import { feedNamed, gamePartsOf } from './feeds/feeds.ts';
import { leagueUuid } from './ids.ts';

/** Above every index of a push. */
const ofGames = 2 ** 31;

/**
 * Its index in the push. Of a league's injuries each game that is near has an element; which these are may have changed when the push is sent
 * again, and with them the indexes. So such an element has a number of its game's own: what an attempt without it came to never stands for it.
 * A record put straight into the log may name a scope that is none, of which no number can be made.
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
