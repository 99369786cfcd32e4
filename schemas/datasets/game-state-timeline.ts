import { type Dataset, int32, int64, optional, type RowOf, required, ts, utf8 } from './column.ts';
import { gameId, league } from './common-columns.ts';

/** The states of a game over time (docs/settlement.md#game-state-timeline-columns). */
export const gameStateTimeline = {
  name: 'game-state-timeline',
  kind: 'per_game',
  description:
    'The course of a game: each state that differs from the previous one, with status, period, clock, score and possession.',
  schemaVersion: 'v1',
  columns: [
    gameId,
    league,
    required('sequence', int64, 'Position in the timeline, from 1.'),
    required('timestamp', ts, 'When the source reported this state.'),
    required('status', utf8, 'Schedule status of the game.'),
    optional('period', int32, 'Number of the period, quarter, half or inning.'),
    optional('period_type', utf8, 'Kind of period: quarter, period, half, inning or overtime.'),
    optional('clock_seconds_remaining', int32, 'Time left in the period.', 'seconds'),
    optional('home_score', int32, 'Score of the home team.', 'points'),
    optional('away_score', int32, 'Score of the away team.', 'points'),
    optional('possession_team_id', utf8, 'Canonical UUID of the team in possession.'),
    optional('situation', utf8, 'State that only this league has, as canonical JSON (RFC 8785).'),
    required('stream_epoch', utf8, 'Epoch of the game-state stream that this state comes from.'),
    required('revision', int64, 'Revision of the game-state stream that this state comes from.'),
  ],
  primaryKey: ['game_id', 'sequence'],
  sortOrder: ['sequence'],
  live: false,
  metered: true,
} as const satisfies Dataset;

export type GameStateTimelineRow = RowOf<typeof gameStateTimeline>;
