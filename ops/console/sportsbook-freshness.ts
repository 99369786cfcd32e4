// How fresh each sportsbook is in the games that can be bet on: late where it was observed in none of them as recently as its quotes need.
// The same rule as the board's (docs/quotes.md#quote-state), by the clock instead of the log's time: a log that stands still is late, too.
import { staleFrom } from '../../core/live/quote-state.ts';
import type { OpenLog } from '../../core/ports/catalog/overview.ts';
import type { Micros } from '../../core/units.ts';

/** `observed`: when it was last observed in any of its games, and `game` is that one. `late`: of how many of its games it is. */
export type SportsbookFreshness = {
  operator: string;
  source: string;
  games: number;
  late: number;
  observed: Micros;
  game: string;
};

/** Of each sportsbook that was ever observed in one of the logs; the latest first. */
export function sportsbookFreshness(logs: readonly OpenLog[], now: Micros): readonly SportsbookFreshness[] {
  const found = new Map<string, SportsbookFreshness>();
  for (const { gameId, start, operators } of logs) {
    for (const [operator, { observed_through: observed, source }] of Object.entries(operators)) {
      if (observed === null) continue;
      const late = now >= staleFrom(observed, start, false) ? 1 : 0;
      const known = found.get(operator);
      const newest = known === undefined || observed > known.observed ? { observed, source, game: gameId } : known;
      const { games = 0, late: lateBefore = 0 } = known ?? {};
      found.set(operator, { ...{ operator, games: games + 1, late: lateBefore + late }, ...pick(newest) });
    }
  }
  return [...found.values()].sort(
    (one, other) =>
      Number(isLate(other)) - Number(isLate(one)) ||
      one.observed - other.observed ||
      (one.operator < other.operator ? -1 : 1),
  );
}

/** Whether none of its quotes is fresh: one that left a single game is not late. */
export function isLate({ games, late }: SportsbookFreshness): boolean {
  return late === games;
}

function pick({ observed, source, game }: Pick<SportsbookFreshness, 'observed' | 'source' | 'game'>) {
  return { observed, source, game };
}
