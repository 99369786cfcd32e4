// The injured players of an injuries body, and their injuries (docs/revisions.md#injuries). Works the same for a league's element and for
// that of a game's two teams.
import type { InjuriesRow } from '../../../schemas/datasets/injuries.ts';
import { type JsonObject, memberOf } from '../../json/value.ts';
import { compareUtf8 } from '../../live/utf8-order.ts';
import { currentTeamId } from '../bodies/injuries.ts';
import { int64Of, listOf, objectOf, textOf, valueAt } from '../values.ts';
import type { BodyIds } from './body-ids.ts';

/** An injured player as columns; there is no stamp, because no body has one per injury. */
export type InjuredPlayer = Omit<InjuriesRow, 'league' | 'source_updated_at'>;

/** The injured players of an element by id; if a player is listed twice, the first entry counts. */
export function injuredPlayers(ids: BodyIds, element: JsonObject): readonly InjuredPlayer[] {
  const injured = new Map<string, InjuredPlayer>();
  for (const player of listOf(memberOf(element, 'players'))) {
    const id = int64Of(valueAt(player, 'id'));
    const injury = objectOf(valueAt(player, 'currentInjury'));
    if (id === null || injury === null) continue;
    const playerId = ids.player(id);
    if (injured.has(playerId)) continue;
    injured.set(playerId, {
      player_id: playerId,
      first_name: textOf(valueAt(player, 'firstName')) ?? '',
      last_name: textOf(valueAt(player, 'lastName')) ?? '',
      position: textOf(valueAt(player, 'primaryPosition')) ?? textOf(valueAt(player, 'position')),
      team_id: currentTeamId(ids.league, player),
      description: textOf(memberOf(injury, 'description')) ?? '',
      playing_probability: textOf(memberOf(injury, 'playingProbability')),
    });
  }
  return [...injured.values()].sort((a, b) => compareUtf8(a.player_id, b.player_id));
}
