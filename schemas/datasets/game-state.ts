import { type Dataset, int32, int64, listOfInt32, optional, type RowOf, required, ts, utf8 } from './column.ts';
import { gameId, league } from './common-columns.ts';

/** The current state of one game (docs/revisions.md#columns). */
export const gameState = {
  name: 'game-state',
  kind: 'revisioned',
  description: 'Schedule, status, score, clock and venue of a game: one row.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('msf_game_id', int64, "The source's game id."),
    required('start_time', ts, 'Scheduled start.'),
    optional('original_start_time', ts, 'Scheduled start before it was moved.'),
    optional('ended_time', ts, 'When the game ended.'),
    required('schedule_status', utf8, "The source's schedule status, verbatim."),
    optional('delayed_or_postponed_reason', utf8, 'Why the game is delayed or postponed.'),
    required('played_status', utf8, "The source's played status, verbatim."),
    optional('period', int32, 'Number of the current period, quarter, half or inning.'),
    optional('period_type', utf8, 'Kind of period: quarter, period, half, inning or overtime.'),
    optional('intermission', int32, 'Number of the current intermission.'),
    optional('clock_seconds_remaining', int32, 'Time left in the period.', 'seconds'),
    optional('possession_team_id', utf8, 'Canonical UUID of the team in possession.'),
    required('home_team_id', utf8, 'Canonical UUID of the home team.'),
    required('away_team_id', utf8, 'Canonical UUID of the away team.'),
    optional('home_score', int32, 'Score of the home team.', 'points'),
    optional('away_score', int32, 'Score of the away team.', 'points'),
    required('home_period_scores', listOfInt32, 'Score of the home team in each period, in order.', 'points'),
    required('away_period_scores', listOfInt32, 'Score of the away team in each period, in order.', 'points'),
    optional('venue_id', utf8, 'Canonical UUID of the venue.'),
    optional('venue_name', utf8, 'Name of the venue.'),
    optional('venue_allegiance', utf8, 'Whose venue it is.'),
    optional('attendance', int32, 'Spectators.', 'people'),
    optional('situation', utf8, 'State that only this league has, as canonical JSON (RFC 8785).'),
  ],
  primaryKey: ['game_id'],
  sortOrder: ['game_id'],
  live: true,
  metered: true,
} as const satisfies Dataset;

export type GameStateRow = RowOf<typeof gameState>;
