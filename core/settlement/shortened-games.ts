// Which grades stand in a game that ended before its regular number of periods (docs/settlement.md#shortened-games): periods that were
// completed, and results that no further play could have changed.
import { type League, leagueTable } from '../../schemas/reference/leagues.ts';
import type { Scores } from './evidence.ts';
import { type Grade, one } from './grade.ts';
import { isAboveLine } from './line-grades.ts';
import type { PeriodSpan } from './period-scores.ts';
import type { Selection } from './selections.ts';

/** Whether a period was completed: a later one has a score. */
export function wasPlayedOut(span: PeriodSpan, scores: Scores): boolean {
  return span !== 'full' && span.last < periodsIn(scores);
}

/** Whether a period has a score. */
export function hasBegun(span: PeriodSpan, scores: Scores): boolean {
  return span === 'full' || span.first <= periodsIn(scores);
}

/** Whether the winner of a shortened game stands: in baseball after five innings, or four and a half if home leads. */
export function isOfficial(league: League, { away, home, awayPeriods, homePeriods }: Scores): boolean {
  if (leagueTable[league].sport !== 'baseball' || awayPeriods.length < 5) return false;
  return homePeriods.length >= 5 || (homePeriods.length === 4 && home > away);
}

/** Whether a count that only rises has already decided the bet: it is above the line, or a `yes` has come true. */
export function isDecided({ line }: Selection, { value }: Grade): boolean {
  if (value === null) return false;
  return line === null ? value >= one : isAboveLine(value, line);
}

function periodsIn({ awayPeriods, homePeriods }: Scores): number {
  return Math.max(awayPeriods.length, homePeriods.length);
}
