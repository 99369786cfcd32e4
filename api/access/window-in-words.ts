import type { HistoryWindow } from '../../core/access/history.ts';

/** What a window allows to be read, for the detail of a refusal. */
export function windowInWords(window: HistoryWindow): string {
  if (window.kind === 'since') return `those from ${window.date} on`;
  return window.kind === 'month' && window.month !== null ? `those of ${window.month}` : 'none yet';
}
