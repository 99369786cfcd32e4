import { type Dataset, optional, type RowOf, required, ts, utf8 } from './column.ts';
import { league } from './common-columns.ts';

/** Currently injured players (docs/revisions.md#columns). */
export const injuries = {
  name: 'injuries',
  kind: 'revisioned',
  description: 'The injured players of a league, or of the two teams of a game.',
  schemaVersion: 'v1',
  columns: [
    league,
    required('player_id', utf8, 'Canonical player UUID.'),
    required('first_name', utf8, 'First name.'),
    required('last_name', utf8, 'Last name.'),
    optional('position', utf8, 'Position code.'),
    optional('team_id', utf8, "Canonical UUID of the player's team."),
    required('description', utf8, 'What the injury is.'),
    optional('playing_probability', utf8, 'How likely the player is to play, in the words of the source.'),
    optional('source_updated_at', ts, "The source's own timestamp of the injury."),
  ],
  primaryKey: ['league', 'player_id'],
  sortOrder: ['league', 'player_id'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type InjuriesRow = RowOf<typeof injuries>;
