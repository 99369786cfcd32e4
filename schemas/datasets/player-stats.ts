import { type Dataset, dec, optional, type RowOf, required, utf8 } from './column.ts';
import { gameId, league } from './common-columns.ts';

/** Statistics of players in long form: a new statistic adds rows, never columns (docs/revisions.md#columns). */
export const playerStats = {
  name: 'player-stats',
  kind: 'revisioned',
  description: 'Statistics of every player of a game, one row per statistic.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('player_id', utf8, 'Canonical player UUID.'),
    optional('team_id', utf8, 'Canonical UUID of the team played for.'),
    required('stat', utf8, 'Statistic, as group.name.'),
    required('value', dec(12, 4), 'Value of the statistic.'),
  ],
  primaryKey: ['game_id', 'player_id', 'stat'],
  sortOrder: ['game_id', 'player_id', 'stat'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type PlayerStatsRow = RowOf<typeof playerStats>;
