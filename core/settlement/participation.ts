// Whether a player took part in the game, according to player-stats (docs/settlement.md#did-not-play). What shows it stands with each
// market (core/settlement/player-markets.ts).
import type { BoxScore } from './box-score.ts';
import type { PlayedBy } from './player-markets.ts';

type Participation = 'played' | 'did_not_play' | 'participation_unknown';

/** For a player in a market that goes by `playedBy`; the box score must have rows for both teams. */
export function participationOf(playedBy: PlayedBy, box: BoxScore, playerId: string): Participation {
  if (!box.has(playerId)) return 'did_not_play';
  const shown = participationBy(playedBy, box, playerId);
  // A player with nothing but zeros may only have been on the roster.
  if (shown === 'played') return box.hasValue(playerId, '') ? 'played' : 'participation_unknown';
  return shown;
}

/** What the statistics of `playedBy` show; `played` also where they leave it open. */
function participationBy(playedBy: PlayedBy, box: BoxScore, playerId: string): Participation {
  switch (playedBy) {
    case 'any':
      return 'played';
    case 'minutes':
      return box.hasStatistic(seconds) && box.statistic(playerId, seconds) === 0 ? 'did_not_play' : 'played';
    case 'batting': {
      const turns = turnsAtBat.find((stat) => box.hasStatistic(stat));
      if (turns === undefined) return 'participation_unknown';
      return box.statistic(playerId, turns) <= 0 ? 'did_not_play' : 'played';
    }
    case 'pitching':
      return box.hasValue(playerId, 'pitching.') ? 'played' : 'did_not_play';
  }
}

const seconds = 'miscellaneous.minSeconds';

/** The first of these that the game has shows who batted. */
const turnsAtBat = ['batting.plateAppearances', 'batting.atBats'];
