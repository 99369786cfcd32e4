// What a feed key may leave behind on a UTC day (docs/operations.md#feed-key-quotas): bytes of bodies, dead letters, games. Above its quota
// of bytes, pushes are refused until midnight. Above its quota of dead letters, further letters are only counted. Good quotes are accepted
// in both cases. Games are counted where they are founded (core/games/founding.ts).
import { dateOfDays } from '../time/rfc3339.ts';
import { type Micros, microsPerHour, microsPerSecond } from '../units.ts';

const quotaNames = ['bytes', 'letters', 'games'] as const;
export type QuotaName = (typeof quotaNames)[number];

/** How much of each a key may leave behind per day. Bytes are the inflated bytes of bodies of which something is kept. */
export type FeedQuotas = Readonly<Record<QuotaName, number>>;

/**
 * Far above any honest feed of an NFL Sunday. Bytes: 16 games at 40 sportsbooks are about 350 KB of game lines (550 bytes per game and
 * sportsbook in recorded bodies); pushed every 5 seconds for 14 hours, that is 3.5 GB. 250 player selections per game and sportsbook, 18 MB
 * pushed every minute, add 15 GB: together a quarter of 64 GiB. Letters: one bad quote in every image of 16 games every 5 seconds for 14
 * hours gives 160,000; 200,000 rows take about 100 MB besides their payloads, whose bytes count. Games: as many as one source may found.
 */
export const defaultFeedQuotas: FeedQuotas = { bytes: 64 * 1024 ** 3, letters: 200_000, games: 5_000 };

/**
 * How many dead letters the folds keep per source and UTC day. A record names its source and not the key that pushed it, and may not have
 * come through a gateway at all.
 */
export const mostDeadLettersOfFold = 200_000;

const microsPerDay: Micros = 24 * microsPerHour;

/** `YYYY-MM-DD`. */
export function utcDayOf(now: Micros): string {
  return dateOfDays(Math.floor(now / microsPerDay));
}

/** When the quotas reset: the next midnight UTC. */
export function nextUtcDay(now: Micros): { at: Micros; seconds: number } {
  const at = (Math.floor(now / microsPerDay) + 1) * microsPerDay;
  return { at, seconds: Math.ceil((at - now) / microsPerSecond) };
}

/** Whether all of `more` is within the quota. */
export function isWithin(most: number, used: number, more: number): boolean {
  return used + more <= most;
}

/** How much of `more` is within the quota. */
export function partWithin(most: number, used: number, more: number): number {
  return Math.min(more, Math.max(0, most - used));
}
