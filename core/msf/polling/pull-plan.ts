// What to request of each league, and how often, from the known games and the time (docs/revisions.md#poll-order); each feed sets its
// intervals by the phases of the games. Independent of requests and answers so far.
import { easternDate } from '../../time/eastern-date.ts';
import { type Micros, microsPerMinute } from '../../units.ts';
import { type GamePhase, isFollowed, type PolledGame, type PollPace, paces, phaseOf } from './paces.ts';
import { polledFeeds } from './polled-feeds.ts';
import type { PolledLeague, Pull } from './pulls.ts';

export type WantedPull = { pull: Pull } & Required<PollPace>;

/** Filtered once, because a plan asks each of them about each of a season's thousand games. */
const feedsOfGames = polledFeeds.filter(({ polling }) => polling.ofGame !== undefined);

/** All requests to make for a league. */
export function wantedPulls(league: PolledLeague, games: Iterable<PolledGame>, now: Micros): WantedPull[] {
  const wanted: WantedPull[] = [];
  const want = (about: Partial<Pull> & Pick<Pull, 'feed'>, pace: PollPace | null | undefined): void => {
    if (pace === null || pace === undefined) return;
    const everyMoved = Math.min(pace.every, 5 * microsPerMinute);
    const pull = { league, game: null, day: null, ...about };
    wanted.push({ pull, everyMoved, onlyMoved: false, afterEnd: false, ...pace });
  };
  let shortest = paces.far;
  const days = new Map<string, Set<GamePhase>>();
  for (const game of games) {
    const phase = phaseOf(game, now);
    shortest = Math.min(shortest, paces[phase]);
    if (isFollowed(phase)) noteDay(days, game.startTime, phase);
    for (const { name: feed, polling } of feedsOfGames) want({ feed, game: game.id }, polling.ofGame?.(phase));
  }
  for (const { name: feed, polling } of polledFeeds) want({ feed }, polling.whole?.(shortest));
  for (const [day, phases] of days) {
    for (const { name: feed, polling } of polledFeeds) want({ feed, day }, polling.ofDay?.(phases));
  }
  return wanted;
}

function noteDay(days: Map<string, Set<GamePhase>>, startTime: Micros, phase: GamePhase): void {
  const day = easternDate(startTime).replaceAll('-', '');
  const phases = days.get(day) ?? new Set();
  days.set(day, phases.add(phase));
}
