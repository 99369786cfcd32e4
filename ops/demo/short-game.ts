// The short game of a demo start. It began an hour before and has ended: the demo pushes it as a recording whose times pass faster, and
// within minutes it settles. The seed and the second of the start determine the game.
import type { League } from '../../schemas/reference/leagues.ts';
import { chance } from './chance.ts';
import { type DemoGame, gamesAt, pairing } from './slate.ts';
import { endOf } from './timeline.ts';

const league: League = 'NBA';
/** Between two times of the recording. */
const stepSeconds = 30;
const quotedBefore = 20 * 60;
const length = 50 * 60;
/** How long before the start it ended. The last time of its recording is also before the start, so that none is ahead of the clock. */
const endedBefore = 17 * 60;
/** The game closes ten minutes after the end, and the source corrects it after fifteen; one more body repeats the correction. */
const reportedFor = 16 * 60;
/** Larger than every id of the slate. */
const firstFeedId = 20_000_000_000_000;

/** The short game of a demo that starts at `start` (seconds), with teams that are not on the slate then. */
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

/** The times of its recording, in order, including its start and end. */
export function recordedTimes(game: DemoGame): number[] {
  const first = game.actual - quotedBefore;
  const steps = (endOf(game) + reportedFor - first) / stepSeconds;
  return Array.from({ length: steps + 1 }, (_, step) => first + step * stepSeconds);
}
