// The messages of refusals by a history window.
import { type HistoryWindow, isWithin } from '../../core/access/history-window.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';

/** What a window allows to read, for the detail of a refusal. */
export function windowInWords(window: HistoryWindow): string {
  if (window.kind === 'since') return `those from ${window.date} on`;
  return window.kind === 'month' && window.month !== null ? `those of ${window.month}` : 'none yet';
}

/** 403, or null if the tier may read a game of `gameDate`. */
export function refusalOfDate(tier: Tier, window: HistoryWindow, gameDate: string): Refusal | null {
  if (isWithin(window, gameDate)) return null;
  return refuse('history-restricted', {
    detail: `The game is of ${gameDate}; tier ${tier} reads ${windowInWords(window)}.`,
  });
}
