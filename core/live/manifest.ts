// What a manifest and the catalog say of a game's log beside its files: a function of the log's prefix, so that every field is
// of the same version as the rows listed with it (I6, I11). The current watermarks are here; boards carry older ones.
import type { Micros } from '../units.ts';
import { operatorsWithRows } from './board.ts';
import type { GameState } from './game-state.ts';
import { gameStart, hasOpenOffer } from './game-state.ts';

/** `source`: the operator's owner. */
export type OperatorFacts = { last_row_at: Micros; observed_through: Micros | null; source: string };

/** Members as in the catalog's `GamePublication`. */
export type LiveFacts = {
  gameUuid: string;
  generation: number;
  firstSeq: number;
  rows: number;
  /** The newest time of an applied record; ticks do not move it (docs/interface.md#live-manifest). */
  appliedThrough: Micros | null;
  logTime: Micros | null;
  /** The operators with a row in this log (docs/interface.md#live-manifest), in code order. */
  operators: Record<string, OperatorFacts>;
  /** Whether an operator still stands for a selection: such a game is spoken to by ticks of its partition, as long as … */
  openOffer: boolean;
  /** … the newest observation applied to it was receive-timed (docs/quotes.md#ticks). */
  receiveTimed: boolean;
  /** The game's start: the schedule's, else as its founder now tells it (docs/quotes.md#scheduled-start). Null: no source has told one. */
  scheduledStart: Micros | null;
};

/** The facts of the log as it stands. */
export function liveFacts(game: GameState): LiveFacts {
  const operators: Record<string, OperatorFacts> = {};
  for (const { code, lastRowAt, watermark, owner } of operatorsWithRows(game)) {
    if (lastRowAt === null || owner === null) throw new Error(`${code} of ${game.uuid} has rows but no owner`);
    operators[code] = { last_row_at: lastRowAt, observed_through: watermark, source: owner.name };
  }
  return {
    gameUuid: game.uuid,
    generation: game.generation,
    firstSeq: game.firstSeq,
    rows: game.rows,
    appliedThrough: game.appliedThrough,
    logTime: game.logTime,
    operators,
    openOffer: !game.closed && hasOpenOffer(game),
    receiveTimed: game.receiveTimed === true,
    scheduledStart: gameStart(game),
  };
}
