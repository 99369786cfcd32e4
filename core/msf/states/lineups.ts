// Who begins a game, as a `lineup` body says (msf.md, State): what closing lines tell of both sides. Pure and total.
import { type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import type { League } from '../../units.ts';
import { gameOf } from '../bodies/game-object.ts';
import { int64Of, listOf, textOf, valueAt } from '../values.ts';
import { BodyIds } from './body-ids.ts';

/** Canonical player ids, in the order of the slots' names; empty where nothing is known. */
export type Lineups = { readonly home: readonly string[]; readonly away: readonly string[] };

/** Slots of players who wait for their turn. */
const bench = /^bench/i;

/** The line-ups of a body: of each side the actual one, while that names nobody the expected one. */
export function readLineups(league: League, element: JsonObject): Lineups {
  const game = gameOf(memberOf(element, 'game'), 'whole');
  if (game === null) return { home: [], away: [] };
  const ids = new BodyIds(league, game);
  const teams = listOf(memberOf(element, 'teamLineups'));
  const of = (side: 'home' | 'away'): readonly string[] => {
    const team = teams.find((each) => ids.side(ids.team(valueAt(each, 'team'))) === side) ?? null;
    const actual = starters(ids, valueAt(team, 'actual'));
    return actual.length > 0 ? actual : starters(ids, valueAt(team, 'expected'));
  };
  return { home: of('home'), away: of('away') };
}

function starters(ids: BodyIds, lineup: JsonValue): readonly string[] {
  const filled: { slot: string; player: number }[] = [];
  for (const each of listOf(valueAt(lineup, 'lineupPositions'))) {
    const slot = textOf(valueAt(each, 'position'));
    const player = int64Of(valueAt(each, 'player', 'id'));
    if (slot !== null && player !== null && !bench.test(slot)) filled.push({ slot, player });
  }
  filled.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : a.player - b.player));
  return [...new Set(filled.map(({ player }) => ids.player(player)))];
}
