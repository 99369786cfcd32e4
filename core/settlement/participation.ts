// Whether a player took part in the game, according to player-stats (docs/settlement.md#did-not-play).
import { type League, leagueTable } from '../../schemas/reference/leagues.ts';
import type { BoxScore } from './box-score.ts';

type Participation = 'played' | 'did_not_play' | 'participation_unknown';

/** For a player in a market; the box score must have rows for both teams. */
export function participationOf(league: League, market: string, box: BoxScore, playerId: string): Participation {
  if (!box.has(playerId)) return 'did_not_play';
  if (leagueTable[league].sport === 'basketball') {
    if (box.hasStatistic(seconds) && box.statistic(playerId, seconds) === 0) return 'did_not_play';
  }
  if (market.startsWith('batter_')) {
    const turns = turnsAtBat.find((stat) => box.hasStatistic(stat));
    if (turns === undefined) return 'participation_unknown';
    if (box.statistic(playerId, turns) <= 0) return 'did_not_play';
  }
  if (market.startsWith('pitcher_') && !box.hasValue(playerId, 'pitching.')) return 'did_not_play';
  // A player with nothing but zeros may only have been on the roster.
  return box.hasValue(playerId, '') ? 'played' : 'participation_unknown';
}

const seconds = 'miscellaneous.minSeconds';

/** The first of these that the game has shows who batted. */
const turnsAtBat = ['batting.plateAppearances', 'batting.atBats'];
