// The feed `injuries`: the injured players of a league, and so those of the two teams of each upcoming game (docs/revisions.md#injuries).
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../units.ts';
import type { BadBody } from '../bodies/bad-body.ts';
import { currentAbbreviations, injuriesOfGames } from '../bodies/injuries.ts';
import { BodyIds } from '../states/body-ids.ts';
import { injuredPlayers } from '../states/injury-rows.ts';
import { listOf, valueAt } from '../values.ts';
import type { FeedDescriptor } from './feed.ts';

export const injuries: FeedDescriptor<'injuries'> = {
  name: 'injuries',
  form: {
    kind: 'league',
    list: 'players',
    problem: wrappedProblem,
    ofGames: { abbreviations: currentAbbreviations, split: injuriesOfGames },
  },
  playersIn: 'players',
  read: ({ league, element }) => ({ injuries: injuredPlayers(new BodyIds(league, null), element) }),
  statistics: [],
  polling: {
    called: /injuries/,
    isOfSeason: false,
    secondsAway: { season: 5, day: 5 },
    firstAfter: 20 * microsPerSecond,
    whole: (shortest) => ({ every: shortest < microsPerHour ? 15 * microsPerMinute : microsPerHour }),
  },
};

/** Only the feed `players` wraps each player in an object. Read as injuries, such a body would clear every injury. */
function wrappedProblem(body: JsonValue): BadBody | null {
  const wrapped = listOf(valueAt(body, 'players')).findIndex((each) => isJsonObject(valueAt(each, 'player')));
  return wrapped < 0 ? null : { pointer: `/players/${wrapped}/player`, detail: 'an entry of the feed players' };
}
