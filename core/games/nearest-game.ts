// Picks the game of an event among several games of the same teams: the one that starts nearest (docs/quotes.md#resolving-the-game).
import type { Micros } from '../units.ts';
import type { KnownGame } from './push-facts.ts';

type Candidate = { game: KnownGame; distance: Micros; start: Micros };

/** The game that starts nearest to `time`, at most `maxDistance` away. A tie goes to the earlier start, then to the smaller public id. */
export function nearestGame(games: Iterable<KnownGame>, time: Micros, maxDistance: Micros): KnownGame | null {
  let best: Candidate | null = null;
  for (const game of games) {
    const start = nearerStart(game, time);
    const candidate = { game, start, distance: Math.abs(start - time) };
    if (candidate.distance <= maxDistance && (best === null || goesBefore(candidate, best))) best = candidate;
  }
  return best?.game ?? null;
}

function goesBefore(a: Candidate, b: Candidate): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  if (a.start !== b.start) return a.start < b.start;
  return (a.game.publicId ?? a.game.uuid) < (b.game.publicId ?? b.game.uuid);
}

/** The first or the current start, whichever is nearer to `time`; the earlier one on a tie. */
function nearerStart({ firstStart, scheduledStart }: KnownGame, time: Micros): Micros {
  const [earlier, later] = firstStart <= scheduledStart ? [firstStart, scheduledStart] : [scheduledStart, firstStart];
  return Math.abs(later - time) < Math.abs(earlier - time) ? later : earlier;
}
