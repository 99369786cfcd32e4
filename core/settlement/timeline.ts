// The states of a game over time, from its `game-state` stream (docs/settlement.md#game-state-timeline). Takes the revisions in order; each
// adds to the timeline. Independent of where revisions and their rows are kept.
import type { GameStateRow } from '../../schemas/datasets/game-state.ts';
import type { GameStateTimelineRow } from '../../schemas/datasets/game-state-timeline.ts';
import type { GameStatus } from '../games/status.ts';
import { gameStatusOf } from '../msf/streams/status-of-game.ts';
import type { Micros } from '../units.ts';

/** A revision of the stream; `row` is null if the stream had none. */
export type TimelineRevision = { epoch: string; revision: number; sourceUpdatedAt: Micros; row: SeenState | null };

type SeenState = Pick<GameStateRow, 'played_status' | 'schedule_status' | Taken>;

/** The columns that a state copies from its row. */
const taken = [
  'period',
  'period_type',
  'clock_seconds_remaining',
  'home_score',
  'away_score',
  'possession_team_id',
  'situation',
] as const;
type Taken = (typeof taken)[number];

export class Timeline {
  readonly #game: { readonly game_id: string; readonly league: string };
  #epoch: string | null = null;
  #rows: GameStateTimelineRow[] = [];

  /** `known`: the states of the current epoch from an earlier timeline of the game, from the first. */
  constructor(game: { gameId: string; league: string }, known: readonly GameStateTimelineRow[] = []) {
    this.#game = { game_id: game.gameId, league: game.league };
    this.#rows = [...known];
    this.#epoch = known.at(-1)?.stream_epoch ?? null;
  }

  /** The states of the newest epoch. */
  get rows(): readonly GameStateTimelineRow[] {
    return this.#rows;
  }

  /** Takes the next revision. A new epoch starts the timeline anew. */
  add({ epoch, revision, sourceUpdatedAt, row }: TimelineRevision): void {
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#rows = [];
    }
    if (row === null) return;
    const before = this.#rows.at(-1);
    const status = gameStatusOf(row.played_status, row.schedule_status) ?? before?.status ?? initialStatus;
    if (before !== undefined && before.status === status && taken.every((column) => before[column] === row[column])) {
      return;
    }
    this.#rows.push({
      ...this.#game,
      sequence: this.#rows.length + 1,
      timestamp: sourceUpdatedAt,
      status,
      period: row.period,
      period_type: row.period_type,
      clock_seconds_remaining: row.clock_seconds_remaining,
      home_score: row.home_score,
      away_score: row.away_score,
      possession_team_id: row.possession_team_id,
      situation: row.situation,
      stream_epoch: epoch,
      revision,
    });
  }
}

/** The status of a game before any is reported. */
const initialStatus: GameStatus = 'SCHEDULED';
