// The short game of a start of the demo. It began an hour before the start and is over: the demo pushes it as a recording, at times of its own
// that pass faster, and within minutes it has settled. The seed and the second of the start make the game.
import type { League } from '../../schemas/reference/leagues.ts';
import { chance } from './chance.ts';
import { type DemoGame, gamesAt, pairing } from './slate.ts';
import { endOf } from './timeline.ts';

const league: League = 'NBA';
/** Between two times of the recording. */
const stepSeconds = 30;
const quotedBefore = 20 * 60;
const length = 50 * 60;
/** How long before the start it ended: the last time of its recording is before the start too, so that none is ahead of the clock. */
const endedBefore = 17 * 60;
/** Ten minutes after the end the game closes, after fifteen the source corrects it; a last body agrees with the correction. */
const toldAfter = 16 * 60;
/** No id of the slate's is as great. */
const firstFeedId = 20_000_000_000_000;

/** The short game of a demo that starts at `start` (seconds): of teams that the slate leaves free. */
export function shortGame(seed: number, start: number): DemoGame {
  const began = start - endedBefore - length;
  const busy = new Set(
    gamesAt(seed, start)
      .filter((game) => game.league === league)
      .flatMap(({ home, away }) => [home, away]),
  );
  for (let attempt = 0; ; attempt += 1) {
    const teams = pairing(league, chance(seed, start, attempt, 'home'), chance(seed, start, attempt, 'away'));
    if (attempt < 100 && (busy.has(teams.home) || busy.has(teams.away))) continue;
    return {
      eventId: `demo-${seed}-short-${start}`,
      feedId: firstFeedId + start,
      league,
      ...teams,
      scheduled: began,
      actual: began,
      length,
    };
  }
}

/** The times of its recording, in order; its start and its end are among them. */
export function recordedTimes(game: DemoGame): number[] {
  const first = game.actual - quotedBefore;
  const steps = (endOf(game) + toldAfter - first) / stepSeconds;
  return Array.from({ length: steps + 1 }, (_, step) => first + step * stepSeconds);
}
