// What stands in a game that ended before its regular number of periods (docs/settlement.md#shortened-games): what was played out, and
// what no further play could have changed. Unaware of how a grade came about.
import type { League } from '../units.ts';
import type { Scores } from './evidence.ts';
import { type Grade, one } from './grade.ts';
import { isAboveLine } from './line-grades.ts';
import type { Span } from './period-scores.ts';
import type { Selection } from './selections.ts';

/** Whether a period was played to its end: a list goes on behind it. */
export function wasPlayedOut(span: Span, scores: Scores): boolean {
  return span !== 'full' && span.last < periodsIn(scores);
}

/** Whether a list has a number of the period. */
export function hasBegun(span: Span, scores: Scores): boolean {
  return span === 'full' || span.first <= periodsIn(scores);
}

/** Whether the winner of a shortened game stands: MLB from five innings, four and a half where home leads. */
export function isOfficial(league: League, { away, home, awayPeriods, homePeriods }: Scores): boolean {
  if (league !== 'MLB' || awayPeriods.length < 5) return false;
  return homePeriods.length >= 5 || (homePeriods.length === 4 && home > away);
}

/** Whether a grade on a count that only rises is final already: it is above the line, or a `yes` has come true. */
export function isDecided({ market, line }: Selection, { value }: Grade): boolean {
  if (value === null || !onlyRises(market)) return false;
  return line === null ? value >= one : isAboveLine(value, line);
}

/** Margins turn, and yards can be lost again. */
function onlyRises(market: string): boolean {
  return market !== 'moneyline' && market !== 'spread' && !market.endsWith('_yds');
}

function periodsIn({ awayPeriods, homePeriods }: Scores): number {
  return Math.max(awayPeriods.length, homePeriods.length);
}
