import { type Dataset, dec, type RowOf, required, utf8 } from './column.ts';
import { gameId, league } from './common-columns.ts';

/** Statistics of teams in long form: a new statistic adds rows, never columns (docs/revisions.md#columns). */
export const teamStats = {
  name: 'team-stats',
  kind: 'revisioned',
  description: 'Statistics of both teams of a game, one row per statistic.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('team_id', utf8, 'Canonical team UUID.'),
    required('stat', utf8, 'Statistic, as group.name.'),
    required('value', dec(12, 4), 'Value of the statistic.'),
  ],
  primaryKey: ['game_id', 'team_id', 'stat'],
  sortOrder: ['game_id', 'team_id', 'stat'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type TeamStatsRow = RowOf<typeof teamStats>;
