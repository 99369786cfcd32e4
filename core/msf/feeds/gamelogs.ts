// The common part of the player and team gamelog feeds: one entry per log, with the statistics of one game.
import type { League } from '../../../schemas/reference/leagues.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { microsPerHour } from '../../units.ts';
import { gameOf } from '../bodies/game-object.ts';
import { type GamePhase, hasGameIn, type PollPace } from '../polling/paces.ts';
import { BodyIds } from '../states/body-ids.ts';
import { valueAt } from '../values.ts';
import type { EntriesForm, StatisticsPlace } from './feed.ts';

/** The form of player logs or team logs; the member `player` distinguishes them (docs/revisions.md#foreign-bodies). */
export function gamelogForm(of: 'player' | 'team'): EntriesForm {
  return {
    kind: 'entries',
    list: 'gamelogs',
    game: 'game',
    gameForm: 'gamelog',
    problem(entry, pointer) {
      if (!isJsonObject(valueAt(entry, 'stats'))) return { pointer: `${pointer}/stats`, detail: 'no object' };
      const isOfPlayer = isJsonObject(valueAt(entry, 'player'));
      if (isOfPlayer === (of === 'player')) return null;
      return { pointer: `${pointer}/player`, detail: isOfPlayer ? "a player's log among those of teams" : 'no object' };
    },
  };
}

export const gamelogStatistics: readonly StatisticsPlace[] = [{ list: ['gamelogs'], member: 'stats' }];

/** All gamelogs of an element are of one game, so the first one names its teams. */
export function idsOfGamelogs(league: League, element: JsonObject): BodyIds {
  const game = gameOf(valueAt(element, 'gamelogs', 0, 'game'), 'gamelog');
  return new BodyIds(league, game === null ? null : { away: game.away, home: game.home });
}

/** The source writes them when a game of the day is over. */
export function paceOfGamelogs(phases: ReadonlySet<GamePhase>): PollPace | null {
  return hasGameIn(['review', 'over'], phases) ? { every: microsPerHour } : null;
}
