// Whether a quote on a board is still believed. Knows nothing of the reader's clock: time is the game's log time, so a
// replay gives the same states (I10, docs/quotes.md#board-rewrites).
import type { Micros } from '../units.ts';
import { microsPerSecond } from '../units.ts';

/** How old an operator's watermark may be, once play is on, and before. */
const inPlayLimit: Micros = 15 * microsPerSecond;
const beforePlayLimit: Micros = 120 * microsPerSecond;

export type QuoteState = 'live' | 'stale_suspect';

/**
 * The first log time at which an operator's quotes are too old to be believed: the rule of docs/quotes.md#quote-state
 * for log time, so that one comparison per operator answers for all its quotes. `start` is the start by the owner's word,
 * else the game's; `inPlay`, whether the newest record that spoke of the operator carried `in_play: true`.
 */
export function staleFrom(watermark: Micros, start: Micros | null, inPlay: boolean): Micros {
  const ifPlaying = watermark + inPlayLimit + 1;
  if (inPlay) return ifPlaying;
  const ifNot = watermark + beforePlayLimit + 1;
  return start === null ? ifNot : Math.min(ifNot, Math.max(start, ifPlaying));
}

/** `quote_state` of one quote, given how often in a row it was missing and whether its operator is stale. docs/quotes.md#the-board. */
export function quoteState(missing: number, operatorStale: boolean): QuoteState {
  return missing === 0 && !operatorStale ? 'live' : 'stale_suspect';
}
