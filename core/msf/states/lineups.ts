// The starters of a game from a `lineup` body (docs/revisions.md#feeds-and-datasets); closing lines show them for both sides. Pure, and
// never throws.
import type { League } from '../../../schemas/reference/leagues.ts';
import { type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { compareUtf8 } from '../../live/utf8-order.ts';
import { gameOf } from '../bodies/game-object.ts';
import { int64Of, listOf, textOf, valueAt } from '../values.ts';
import { BodyIds } from './body-ids.ts';

/** Canonical player ids, in the order of the slots' names; empty if unknown. */
export type Lineups = { readonly home: readonly string[]; readonly away: readonly string[] };

/** A slot of a line-up; an empty one has no player. */
export type Slot<Player> = { readonly slot: string; readonly player: Player | null };

/** Slots of substitutes. */
const bench = /^bench/i;

/**
 * The starters of one side: the actual ones, or the expected ones while there are no actual ones. Ordered by slot name (UTF-8 bytes), slots
 * of the same name in body order, each player once. docs/settlement.md#line-ups.
 */
export function chooseStarters<Player>(
  actual: readonly Slot<Player>[],
  expected: readonly Slot<Player>[],
): readonly Player[] {
  const starters = startersOf(actual);
  return starters.length > 0 ? starters : startersOf(expected);
}

function startersOf<Player>(slots: readonly Slot<Player>[]): readonly Player[] {
  const inOrder = slots.filter(({ slot }) => !bench.test(slot)).sort((a, b) => compareUtf8(a.slot, b.slot));
  const players = inOrder.map(({ player }) => player).filter((player) => player !== null);
  return [...new Set(players)];
}

/** The line-ups of a body. */
export function readLineups(league: League, element: JsonObject): Lineups {
  const game = gameOf(memberOf(element, 'game'), 'whole');
  if (game === null) return { home: [], away: [] };
  const ids = new BodyIds(league, game);
  const teams = listOf(memberOf(element, 'teamLineups'));
  const of = (side: 'home' | 'away'): readonly string[] => {
    const team = teams.find((each) => ids.side(ids.team(valueAt(each, 'team'))) === side) ?? null;
    return chooseStarters(slotsOf(ids, valueAt(team, 'actual')), slotsOf(ids, valueAt(team, 'expected')));
  };
  return { home: of('home'), away: of('away') };
}

/** The slots of a line-up that have a name. */
function slotsOf(ids: BodyIds, lineup: JsonValue): Slot<string>[] {
  return listOf(valueAt(lineup, 'lineupPositions')).flatMap((each) => {
    const slot = textOf(valueAt(each, 'position'));
    const player = int64Of(valueAt(each, 'player', 'id'));
    return slot === null ? [] : [{ slot, player: player === null ? null : ids.player(player) }];
  });
}
