// Grades markets on the score: moneyline, spread, total, team_total (docs/settlement.md#team-markets). Independent of players.
import type { League } from '../../schemas/reference/leagues.ts';
import type { Scores } from './evidence.ts';
import { type Grade, graded, notGraded, one } from './grade.ts';
import { gradeMargin, lineValue } from './line-grades.ts';
import { isPlayed, type PeriodSpan, type Standing, scoreOf } from './period-scores.ts';
import type { Selection } from './selections.ts';
import { hasBegun, isDecided, isOfficial, wasPlayedOut } from './shortened-games.ts';

/** The selections of each market. */
export const teamMarkets: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['moneyline', new Set(['home', 'away', 'draw'])],
  ['spread', new Set(['home', 'away'])],
  ['total', new Set(['over', 'under'])],
  ['team_total', new Set(['home_over', 'home_under', 'away_over', 'away_under'])],
]);

/** The score of a game. `drawPeriods`: the periods for which a moneyline quoted a draw. */
export type ScoredGame = {
  readonly league: League;
  readonly scores: Scores;
  readonly standing: Standing;
  readonly drawPeriods: ReadonlySet<string>;
};

/** Grades a selection of `teamMarkets`, with a line where its market needs one. */
export function gradeTeamMarket(selection: Selection, span: PeriodSpan, game: ScoredGame): Grade {
  const { league, scores, standing } = game;
  if (standing === 'unknown' && span !== 'full') return notGraded('no_period_scores');
  const grade = gradeScore(selection, scoreOf(span, scores), game);
  if (standing === 'shortened') return stands(selection, span, game, grade) ? grade : notGraded('shortened');
  return isPlayed(league, span, scores) ? grade : notGraded('no_period_scores');
}

function stands(selection: Selection, span: PeriodSpan, { league, scores }: ScoredGame, grade: Grade): boolean {
  if (wasPlayedOut(span, scores)) return true;
  if (selection.market === 'moneyline' && span === 'full') return isOfficial(league, scores);
  // Points are never lost; a margin can turn.
  const onlyRises = selection.market === 'total' || selection.market === 'team_total';
  return onlyRises && hasBegun(span, scores) && isDecided(selection, grade);
}

/** The grade of a selection if the period ended with `score`. */
function gradeScore({ market, period, selection, line }: Selection, score: Score, game: ScoredGame): Grade {
  const lead = (selection === 'away' ? score.away - score.home : score.home - score.away) * one;
  if (market === 'moneyline') {
    if (selection === 'draw') return graded(lead === 0 ? 'win' : 'loss', lead);
    if (lead === 0) return game.drawPeriods.has(period) ? notGraded('draw_quoted') : graded('push', 0);
    return graded(lead > 0 ? 'win' : 'loss', lead);
  }
  const height = lineValue(line as number);
  if (market === 'spread') return gradeMargin(lead + height, line as number, lead);
  const points = pointsOf(selection, score) * one;
  const margin = selection.endsWith('over') ? points - height : height - points;
  return gradeMargin(margin, line as number, points);
}

type Score = { readonly away: number; readonly home: number };

/** The points that a total counts: one team's if the selection names it, otherwise both. */
function pointsOf(selection: string, { away, home }: Score): number {
  if (selection.startsWith('home')) return home;
  return selection.startsWith('away') ? away : home + away;
}
