// Grades a selection of a player market on the player's statistics (docs/settlement.md#player-markets). Independent of scores and of how
// the player was found.
import type { BoxScore } from './box-score.ts';
import { type Grade, graded, notGraded, one } from './grade.ts';
import { gradeMargin, lineValue } from './line-grades.ts';
import { participationOf } from './participation.ts';
import type { MarketValue, PlayerMarket } from './player-markets.ts';
import type { Selection } from './selections.ts';

/** Grades a selection of `market`, with a line where the market needs one; `playerId` null: unknown. */
export function gradePlayerMarket(
  { selection, line }: Selection,
  market: PlayerMarket,
  playerId: string | null,
  box: BoxScore,
): Grade {
  if (!box.hasBothTeams) return notGraded('no_player_statistics');
  if (playerId === null) return notGraded('unknown_player');
  const participation = participationOf(market.playedBy, box, playerId);
  if (participation !== 'played') return notGraded(participation);
  const value = valueIn(market.value, box, playerId);
  if (value === null) return notGraded('unknown_statistic');
  if (selection === 'yes') return graded(value >= one ? 'win' : 'loss', value);
  if (selection === 'no') return graded(value < one ? 'win' : 'loss', value);
  const above = value - lineValue(line as number);
  return gradeMargin(selection === 'over' ? above : -above, line as number, value);
}

/**
 * The value of a market in ten-thousandths; null if no player of the game has any of its statistics, or it is no valid number of innings.
 */
function valueIn(market: MarketValue, box: BoxScore, playerId: string): number | null {
  const valueOfEach = (stats: readonly string[]) => stats.map((stat) => box.statistic(playerId, stat));
  const total = (stats: readonly string[]) => valueOfEach(stats).reduce((sum, each) => sum + each, 0);
  switch (market.kind) {
    case 'sum':
      if (!exist(box, [...market.plus, ...market.minus])) return null;
      return total(market.plus) - total(market.minus) + total(market.also);
    case 'tens':
      if (!exist(box, market.of)) return null;
      return valueOfEach(market.of).filter((value) => value >= 10 * one).length >= market.count ? one : 0;
    case 'outs':
      return exist(box, [market.of]) ? outsOf(box.statistic(playerId, market.of)) : null;
  }
}

function exist(box: BoxScore, stats: readonly string[]): boolean {
  return stats.every((stat) => box.hasStatistic(stat));
}

/** Innings carry their outs after the point: 6.2 is six innings and two outs. */
function outsOf(innings: number): number | null {
  const outs = (innings % one) * 10;
  if (innings < 0 || outs % one !== 0 || outs > 2 * one) return null;
  return (innings - (innings % one)) * 3 + outs;
}
