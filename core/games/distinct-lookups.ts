// The lookups of a push without repetitions: a push has an element per sportsbook, so most of its elements name the same events.
import type { EventLookup, GameLookup } from '../ports/catalog/games.ts';

/**
 * `distinct`: the lookups in order, each once. An event that the push reports in several ways keeps them all, because the last start counts.
 * `placeOf`: for each lookup given, the index of its like in `distinct`.
 */
export function distinctLookups(lookups: readonly GameLookup[]): {
  distinct: readonly GameLookup[];
  placeOf: readonly number[];
} {
  const changing = changingEvents(lookups);
  const distinct: GameLookup[] = [];
  const places = new Map<string, number>();
  const placeOf = lookups.map((lookup) => {
    const key = lookup.by === 'id' ? `id ${lookup.gameId}` : `event ${lookup.eventId}`;
    const place = places.get(key);
    if (place !== undefined && !(lookup.by === 'event' && changing.has(lookup.eventId))) return place;
    places.set(key, distinct.length);
    return distinct.push(lookup) - 1;
  });
  return { distinct, placeOf };
}

/** Events that the lookups report in more than one way. */
function changingEvents(lookups: readonly GameLookup[]): ReadonlySet<string> {
  const firsts = new Map<string, EventLookup>();
  const changing = new Set<string>();
  for (const lookup of lookups) {
    if (lookup.by === 'id') continue;
    const first = firsts.get(lookup.eventId);
    if (first === undefined) firsts.set(lookup.eventId, lookup);
    else if (!isSame(first, lookup)) changing.add(lookup.eventId);
  }
  return changing;
}

function isSame(one: EventLookup, other: EventLookup): boolean {
  return (
    one.league === other.league &&
    one.homeTeam === other.homeTeam &&
    one.awayTeam === other.awayTeam &&
    one.commenceTime === other.commenceTime
  );
}
