// When the simulated source of play-by-play pushes which body: a league's games every minute, a live game's plays every fifteen seconds and
// its box score every half minute, both every minute once it is over, injuries every five minutes, line-ups before the start. Pure.
import { type League, leagues } from '../../core/units.ts';
import { boxscoreBody, gamesBody, injuriesBody, lineupBody, playbyplayBody, playersBody } from './feed-bodies.ts';
import { type DemoTeam, teamsIn } from './rosters.ts';
import type { DemoGame } from './slate.ts';
import { statusAt } from './timeline.ts';

/** A body and the end of the gateway's route that takes it. */
export type FeedPush = { route: string; body: object };

const season = 'current';
const lineupBefore = 1_800;

/** What is pushed in the `round`th second of the demo, at `now`. Each game has seconds of its own. */
export function feedPushesAt(seed: number, games: readonly DemoGame[], now: number, round: number): FeedPush[] {
  const pushes: FeedPush[] = [];
  const every = (seconds: number, offset: number): boolean => round % seconds === offset % seconds;
  for (const [index, league] of leagues.entries()) {
    const own = games.filter((game) => game.league === league);
    if (own.length === 0) continue;
    if (every(60, 2 + index)) pushes.push({ route: routeOf(league, 'games'), body: gamesBody(seed, own, now) });
    if (every(300, 8 + index))
      pushes.push({ route: routeOf(league, 'injuries'), body: injuriesBody(seed, teamsIn(own), now) });
  }
  for (const game of games) {
    const offset = 3 + (game.feedId % 12);
    const push = (feed: string, body: object): void =>
      void pushes.push({ route: `${routeOf(game.league, feed)}?game=${game.feedId}`, body });
    const status = statusAt(game, now);
    if (status === 'UNPLAYED') {
      if (now >= game.actual - lineupBefore && every(300, offset)) push('lineup', lineupBody(seed, game, now));
      continue;
    }
    const live = status === 'LIVE';
    if (every(live ? 15 : 60, offset)) push('playbyplay', playbyplayBody(seed, game, now));
    if (every(live ? 30 : 60, offset + 1)) push('boxscore', boxscoreBody(seed, game, now));
  }
  return pushes;
}

/** The players of teams that are new on the slate, league by league. */
export function playersPushes(seed: number, teams: readonly DemoTeam[], now: number): FeedPush[] {
  return leagues.flatMap((league) => {
    const own = teams.filter((team) => team.league === league);
    return own.length === 0 ? [] : [{ route: routeOf(league, 'players'), body: playersBody(seed, own, now) }];
  });
}

function routeOf(league: League, feed: string): string {
  return `msf/${league.toLowerCase()}/${season}/${feed}`;
}
