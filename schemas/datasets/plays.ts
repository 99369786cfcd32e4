import { type Dataset, int32, int64, listOfUtf8, optional, type RowOf, required, utf8 } from './column.ts';
import { gameId, league } from './common-columns.ts';

/** Play by play (docs/revisions.md#columns). Clients order by `sequence`. */
export const plays = {
  name: 'plays',
  kind: 'revisioned',
  description: 'Every play of a game.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('play_id', utf8, 'Identity of the play, computed only from what the source sends.'),
    required('sequence', int64, 'Order of the play within the game.'),
    required('period', int32, 'Number of the period, quarter, half or inning.'),
    optional('period_type', utf8, 'Kind of period: quarter, period, half, inning or overtime.'),
    optional('clock_seconds_elapsed', int32, 'Time since the period began.', 'seconds'),
    required('play_type', utf8, 'Kind of play, as the source names it.'),
    required('description', utf8, "The source's description."),
    optional('team_id', utf8, 'Canonical UUID of the team that the play is credited to.'),
    required('player_ids', listOfUtf8, 'Canonical UUIDs of the players involved.'),
    optional('points', int32, 'Points that the play scored.', 'points'),
    required('detail', utf8, "The source's play without its description, as canonical JSON (RFC 8785)."),
  ],
  primaryKey: ['game_id', 'play_id'],
  sortOrder: ['game_id', 'play_id'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type PlaysRow = RowOf<typeof plays>;
