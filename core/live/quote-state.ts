// Whether a quote on a board can still be trusted. Uses the game's log time, never the reader's clock, so a replay gives the same states
// (I10, docs/quotes.md#board-rewrites).
import type { Micros } from '../units.ts';
import { microsPerSecond } from '../units.ts';

/** How old a sportsbook's watermark may be during play, and before. */
const inPlayLimit: Micros = 15 * microsPerSecond;
const beforePlayLimit: Micros = 120 * microsPerSecond;

type QuoteState = 'live' | 'stale_suspect';

/**
 * The first log time at which a sportsbook's quotes are too old to trust (docs/quotes.md#quote-state), so that one comparison per
 * sportsbook covers all its quotes. `start` is the start reported by the owner, otherwise the game's; `inPlay`: whether the newest record
 * about the sportsbook carried `in_play: true`.
 */
export function staleFrom(watermark: Micros, start: Micros | null, inPlay: boolean): Micros {
  const ifPlaying = watermark + inPlayLimit + 1;
  if (inPlay) return ifPlaying;
  const ifNot = watermark + beforePlayLimit + 1;
  return start === null ? ifNot : Math.min(ifNot, Math.max(start, ifPlaying));
}

/** `quote_state` of one quote: `missing` counts the consecutive images that left it out. docs/quotes.md#the-board. */
export function quoteState(missing: number, operatorStale: boolean): QuoteState {
  return missing === 0 && !operatorStale ? 'live' : 'stale_suspect';
}
