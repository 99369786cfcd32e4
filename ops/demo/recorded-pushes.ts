// What the recording of a game pushes at one of its times: the bodies of the play-by-play source, then the books. All of it concerns this
// game only, so that it can carry one time. Pure.
import { directBody, pollBody } from './bodies.ts';
import { polledBooks } from './books.ts';
import { gamesBody } from './feed-bodies.ts';
import { type FeedPush, feedRoute, gamePush } from './feed-pushes.ts';
import { type DemoGame, isQuoted } from './slate.ts';
import { statusAt } from './timeline.ts';

/** A poll names the books that it covers; the book that pushes its own quotes is not among them. */
const pollRoute = `the-odds-api-v4?bookmakers=${polledBooks.join(',')}`;

export function recordedPushes(seed: number, game: DemoGame, at: number): FeedPush[] {
  const feeds: FeedPush[] = [
    { route: feedRoute(game.league, 'games'), body: gamesBody(seed, [game], at) },
    gamePush(seed, game, at, 'lineup'),
  ];
  if (statusAt(game, at) !== 'UNPLAYED')
    feeds.push(gamePush(seed, game, at, 'playbyplay'), gamePush(seed, game, at, 'boxscore'));
  if (!isQuoted(game, at)) return feeds;
  return [
    ...feeds,
    { route: pollRoute, body: pollBody(seed, [game], at) },
    { route: 'quotes', body: directBody(seed, [game], at) },
  ];
}
