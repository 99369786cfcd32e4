// What a feed key may leave behind on a UTC day (docs/operations.md#feed-key-quotas): bytes of bodies, dead letters, games. Beyond its quota of bytes
// a push is refused until midnight; of dead letters as many are kept as there is room for, and the rest is counted: what is good is taken either
// way. Games are counted where they are founded (core/games/founding.ts).
import { dateOfDays } from '../time/rfc3339.ts';
import { type Micros, microsPerHour, microsPerSecond } from '../units.ts';

const quotaNames = ['bytes', 'letters', 'games'] as const;
export type QuotaName = (typeof quotaNames)[number];

/** How much of each a key may leave behind a day. Bytes are those of bodies, inflated, of which something is kept. */
export type FeedQuotas = Readonly<Record<QuotaName, number>>;

/**
 * No honest feed of an NFL Sunday comes near. Bytes: 16 games at 40 sportsbooks are some 350 KB of game lines (550 bytes a game and book in
 * recorded bodies), told every 5 seconds for 14 hours 3.5 GB; 250 player selections a game and book, 18 MB told every minute, 15 GB more: a
 * quarter of 64 GiB. Letters: one bad quote in every image of 16 games every 5 seconds for 14 hours are 160,000, and 200,000 rows are some
 * 100 MB beside their payloads, which are bytes that count. Games: as many as one source may found.
 */
export const defaultFeedQuotas: FeedQuotas = { bytes: 64 * 1024 ** 3, letters: 200_000, games: 5_000 };

/**
 * How many dead letters the folds keep of a source on a UTC day. A record names its source and not the key that pushed it, and may come from no
 * gateway at all.
 */
export const mostDeadLettersOfFold = 200_000;

const microsPerDay: Micros = 24 * microsPerHour;

/** `YYYY-MM-DD`. */
export function utcDayOf(now: Micros): string {
  return dateOfDays(Math.floor(now / microsPerDay));
}

/** When the quotas begin anew: the next midnight UTC. */
export function nextUtcDay(now: Micros): { at: Micros; seconds: number } {
  const at = (Math.floor(now / microsPerDay) + 1) * microsPerDay;
  return { at, seconds: Math.ceil((at - now) / microsPerSecond) };
}

/** Whether `more` is within the quota, all of it. */
export function isWithin(most: number, used: number, more: number): boolean {
  return used + more <= most;
}

/** How much of `more` is within the quota. */
export function partWithin(most: number, used: number, more: number): number {
  return Math.min(more, Math.max(0, most - used));
}
