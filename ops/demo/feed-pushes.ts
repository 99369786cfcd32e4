// Which body the simulated play-by-play source pushes when: a league's games every minute, a live game's plays every fifteen seconds and
// its box score every half minute, both every minute for half an hour after the end, injuries every five minutes, line-ups before the
// start. In the first minute after each start of the demo it also repeats how the games of the last day ended. Pure.
import { type League, leagues } from '../../schemas/reference/leagues.ts';
import { boxscoreBody, gamesBody, injuriesBody, lineupBody, playbyplayBody, playersBody } from './feed-bodies.ts';
import { type DemoTeam, teamsIn } from './rosters.ts';
import { type DemoGame, isQuoted } from './slate.ts';
import { endOf, statusAt } from './timeline.ts';

/** A body and the last part of the gateway's route for it. */
export type FeedPush = { route: string; body: object };

const season = 'current';
const lineupBefore = 1_800;
const reportedAfterEnd = 1_800;
const firstRounds = 60;

/** The pushes of the demo's second number `round`, at `now`. Each game has its own seconds. */
export function feedPushesAt(seed: number, games: readonly DemoGame[], now: number, round: number): FeedPush[] {
  const pushes: FeedPush[] = [];
  const every = (seconds: number, offset: number): boolean => round % seconds === offset % seconds;
  const reported = games.filter((game) => now <= endOf(game) + reportedAfterEnd || round < firstRounds);
  for (const [index, league] of leagues.entries()) {
    const own = reported.filter((game) => game.league === league);
    if (own.length > 0 && every(60, 2 + index))
      pushes.push({ route: feedRoute(league, 'games'), body: gamesBody(seed, own, now) });
    const near = own.filter((game) => isQuoted(game, now));
    if (near.length > 0 && every(300, 8 + index))
      pushes.push({ route: feedRoute(league, 'injuries'), body: injuriesBody(seed, teamsIn(near), now) });
  }
  for (const game of reported) {
    const offset = 3 + (game.feedId % 12);
    const push = (feed: GameFeed): void => void pushes.push(gamePush(seed, game, now, feed));
    const status = statusAt(game, now);
    if (status === 'UNPLAYED') {
      if (now >= game.actual - lineupBefore && every(300, offset)) push('lineup');
      continue;
    }
    const live = status === 'LIVE';
    if (every(live ? 15 : 60, offset)) push('playbyplay');
    if (every(live ? 30 : 60, offset + 1)) push('boxscore');
  }
  return pushes;
}

const gameBodies = { lineup: lineupBody, playbyplay: playbyplayBody, boxscore: boxscoreBody };
type GameFeed = keyof typeof gameBodies;

/** The push of one feed of a game. */
export function gamePush(seed: number, game: DemoGame, now: number, feed: GameFeed): FeedPush {
  return { route: `${feedRoute(game.league, feed)}?game=${game.feedId}`, body: gameBodies[feed](seed, game, now) };
}

/** The players of teams that are new on the slate, by league. */
export function playersPushes(seed: number, teams: readonly DemoTeam[], now: number): FeedPush[] {
  return leagues.flatMap((league) => {
    const own = teams.filter((team) => team.league === league);
    return own.length === 0 ? [] : [{ route: feedRoute(league, 'players'), body: playersBody(seed, own, now) }];
  });
}

export function feedRoute(league: League, feed: string): string {
  return `msf/${league.toLowerCase()}/${season}/${feed}`;
}
