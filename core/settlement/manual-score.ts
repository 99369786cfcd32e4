// Parses a score that the administrator enters: `AWAY-HOME`, and its periods as `a-h,a-h,…`.
import { type League, leagueTable } from '../../schemas/reference/leagues.ts';
import type { Scores } from './evidence.ts';
import { periodScoresFit } from './period-scores.ts';

type ReadManualScore =
  | { readonly kind: 'score'; readonly scores: Scores }
  | { readonly kind: 'refused'; readonly problem: string };

const pair = /^([0-9]{1,4})-([0-9]{1,4})$/;

/** A half inning in which home did not bat; only in the last period. */
const unbatted = /^([0-9]{1,4})-x$/i;

/** Parses `--score` and `--periods`; null: no periods were given. */
export function readManualScore(score: string, periods: string | null): ReadManualScore {
  const final = pair.exec(score.trim());
  if (final === null) {
    return refused(`--score ${quoted(score)} is no score: give AWAY-HOME in whole numbers, such as --score 17-24`);
  }
  const awayPeriods: number[] = [];
  const homePeriods: number[] = [];
  const typed = periods === null ? [] : periods.split(',');
  for (const [index, text] of typed.entries()) {
    const played = pair.exec(text.trim());
    const half = index === typed.length - 1 ? unbatted.exec(text.trim()) : null;
    if (played === null && half === null) return refused(badPeriod(index + 1, text));
    awayPeriods.push(Number((played ?? half)?.[1]));
    if (played !== null) homePeriods.push(Number(played[2]));
  }
  return { kind: 'score', scores: { away: Number(final[1]), home: Number(final[2]), awayPeriods, homePeriods } };
}

/** Why the periods do not fit the score; null if they do. Periods that do not fit would leave every period's bets ungraded. */
export function faultOfPeriods(league: League, scores: Scores): string | null {
  const { awayPeriods, homePeriods } = scores;
  if (awayPeriods.length === 0 || periodScoresFit(league, scores)) return null;
  if (homePeriods.length < awayPeriods.length && leagueTable[league].sport !== 'baseball') {
    return (
      `--periods: period ${awayPeriods.length} has x for home, which is for baseball alone, and this is a game of ${league}: ` +
      "give home's points, or leave --periods out"
    );
  }
  const [away, home] = [awayPeriods, homePeriods].map((points) => points.reduce((sum, each) => sum + each, 0));
  return (
    `--periods come to ${away}-${home} in ${awayPeriods.length} periods of ${league}, --score says ${scores.away}-${scores.home}: ` +
    'correct one of them, or leave --periods out'
  );
}

function badPeriod(number: number, text: string): string {
  return (
    `--periods: period ${number}, ${quoted(text)}, is no score: give AWAY-HOME of each period in order, such as ` +
    "--periods '7-0,3-14,0-3,7-7' (x for home in the last inning where home did not bat), or leave --periods out"
  );
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function refused(problem: string): ReadManualScore {
  return { kind: 'refused', problem };
}
