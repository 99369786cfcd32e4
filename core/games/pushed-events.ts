// The events of a whole push, for one that is resolved in parts: each part knows which events of the same teams the others hold
// (docs/quotes.md#resolving-the-game).
import type { EventLookup, GameLookup } from '../ports/catalog/games.ts';
import type { Micros } from '../units.ts';
import { EventTimes } from './start-times.ts';
import { foldTeamName, type TeamDirectory } from './team-directory.ts';

export type NamedSides = Pick<EventLookup, 'league' | 'homeTeam' | 'awayTeam'>;

export class PushedEvents {
  readonly #teams: TeamDirectory;
  readonly #times = new Map<string, EventTimes>();

  /** `teams`: those that the names of the lookups identify; an unknown name stands for a team of its own. */
  constructor(lookups: readonly GameLookup[], teams: TeamDirectory) {
    this.#teams = teams;
    for (const lookup of lookups) {
      if (lookup.by === 'id') continue;
      const pair = this.#pairOf(lookup);
      const times = this.#times.get(pair) ?? new EventTimes();
      this.#times.set(pair, times);
      times.add({ eventId: lookup.eventId, time: lookup.commenceTime, gone: false });
    }
  }

  /** Whether the push holds another event of these teams at most half a day from `time`. */
  hasOtherNear(sides: NamedSides, eventId: string, time: Micros): boolean {
    return this.#times.get(this.#pairOf(sides))?.hasOtherNear(eventId, time) === true;
  }

  #pairOf({ league, homeTeam, awayTeam }: NamedSides): string {
    return JSON.stringify([this.#sideOf(league, homeTeam), this.#sideOf(league, awayTeam)]);
  }

  /** Team ids already include the league. */
  #sideOf(league: string, name: string): string {
    return this.#teams.find(league, name)?.id ?? `${league}/${foldTeamName(name)}`;
  }
}
