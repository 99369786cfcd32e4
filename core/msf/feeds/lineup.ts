// The feed `lineup`: the expected and the actual starters of one game (docs/settlement.md#line-ups).
import { microsPerMinute, microsPerSecond } from '../../units.ts';
import { paces } from '../polling/paces.ts';
import { readLineups } from '../states/lineups.ts';
import type { FeedDescriptor } from './feed.ts';

export const lineup: FeedDescriptor<'lineup'> = {
  name: 'lineup',
  form: { kind: 'game', lists: () => [['teamLineups']] },
  playersIn: null,
  read: () => ({}),
  statistics: [],
  lineups: readLineups,
  polling: {
    called: /lineup/,
    isOfSeason: true,
    secondsAway: { season: 0, day: 0 },
    firstAfter: 5 * microsPerSecond,
    ofGame(phase) {
      if (phase === 'live') return { every: paces.today };
      return phase === 'today' || phase === 'near' ? { every: Math.max(paces[phase], microsPerMinute) } : null;
    },
  },
};
