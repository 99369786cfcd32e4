// The feed `lineup`: who begins one game, as expected and in fact (docs/settlement.md#line-ups).
import { readLineups } from '../states/lineups.ts';
import type { FeedDescriptor } from './feed.ts';

export const lineup: FeedDescriptor<'lineup'> = {
  name: 'lineup',
  form: { kind: 'game', lists: () => [['teamLineups']] },
  playersIn: null,
  read: () => ({}),
  statistics: [],
  lineups: readLineups,
};
