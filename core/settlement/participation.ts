// Whether a player took part in the game, as far as player-stats shows it (docs/settlement.md#did-not-play).
import type { League } from '../units.ts';
import type { BoxScore } from './box-score.ts';

export type Participation = 'played' | 'did_not_play' | 'participation_unknown';

/** Of a player in a market; the box score has rows for both teams. */
export function participationOf(league: League, market: string, box: BoxScore, playerId: string): Participation {
  if (!box.has(playerId)) return 'did_not_play';
  if (league === 'NBA' || league === 'NCAAM') {
    if (box.hasStatistic(seconds) && box.statistic(playerId, seconds) === 0) return 'did_not_play';
  }
  if (market.startsWith('batter_')) {
    const turns = turnsAtBat.find((stat) => box.hasStatistic(stat));
    if (turns === undefined) return 'participation_unknown';
    if (box.statistic(playerId, turns) <= 0) return 'did_not_play';
  }
  if (market.startsWith('pitcher_') && !box.hasValue(playerId, 'pitching.')) return 'did_not_play';
  // A player with zeros alone may stand in a body only because he was on the list.
  return box.hasValue(playerId, '') ? 'played' : 'participation_unknown';
}

const seconds = 'miscellaneous.minSeconds';

/** The first of these that the game has says who batted. */
const turnsAtBat = ['batting.plateAppearances', 'batting.atBats'];
