// The reasons why a selection is void or ungraded, in words (docs/settlement.md#result-reasons). The grader decides which reasons void.
import { notGraded } from '../../../core/settlement/grade.ts';
import { type ResultReason, resultReasons } from '../../../schemas/datasets/market-results.ts';
import type { Table } from './chapter.ts';

const meanings: Readonly<Record<ResultReason, string>> = {
  cancelled: 'The game was cancelled: every row is void.',
  unknown_market:
    'There is no rule for this market, or not in this league. Markets that have no name of their own here begin with `x_`.',
  no_such_period: 'The league does not play this period; or it is a player market that is not about the whole game.',
  unknown_selection: 'The market has no such selection.',
  line_missing: 'The selection needs a line and was quoted without one.',
  line_unexpected: 'A moneyline, a `yes` or a `no` was quoted with a line.',
  shortened: 'The game ended before its regular number of periods, and the bet was not decided by then.',
  no_period_scores: 'The scores of the period are not known, or the period scores do not add up to the final score.',
  draw_quoted:
    'The period ended level, and a `draw` of its moneyline was quoted: some operators then return the stakes of `home` and `away`, others keep them.',
  no_player_statistics: 'There are no player statistics of one of the teams, or of both.',
  unknown_player:
    'The player was found neither by id nor by name; or the id has no statistics, while a player of that name has.',
  did_not_play: 'The player did not take part: see “Player markets”.',
  participation_unknown:
    'Every statistic of the player is 0; or no statistic of the game says who batted. Whether the player took part is not known.',
  unknown_statistic:
    'No player of the game has the statistic that the market needs; or the innings pitched are no number of innings.',
  value_between: 'The value lies between the two halves of a quarter line: one of them wins, the other loses.',
};

export const reasonTable: Table = {
  headings: ['`result_reason`', '`result`', 'Where'],
  rows: resultReasons.map((reason) => [`\`${reason}\``, `\`${notGraded(reason).result}\``, meanings[reason]]),
};
