// What a manifest and the catalog say about a game's log, besides its files. It depends only on the log so far, so every field is of the
// same version as the rows listed with it (I6, I11). Holds the current watermarks; boards carry older ones.
import type { Micros } from '../units.ts';
import { operatorsWithRows } from './board.ts';
import type { GameState } from './game-state.ts';
import { gameStart, hasOpenOffer } from './game-state.ts';

/** `source`: the sportsbook's owner. */
type OperatorFacts = { last_row_at: Micros; observed_through: Micros | null; source: string };

/** Members as in the catalog's `GamePublication`. */
type LiveFacts = {
  gameUuid: string;
  generation: number;
  firstSeq: number;
  rows: number;
  /** The newest time of an applied record; ticks do not move it (docs/interface.md#live-manifest). */
  appliedThrough: Micros | null;
  logTime: Micros | null;
  /** The sportsbooks with a row in this log (docs/interface.md#live-manifest), in code order. */
  operators: Record<string, OperatorFacts>;
  /** Whether a sportsbook has an open or suspended selection. Ticks of the partition then apply to the game … */
  openOffer: boolean;
  /** … if its newest applied observation was receive-timed (docs/quotes.md#ticks). */
  receiveTimed: boolean;
  /**
   * The game's start: the schedule's, otherwise its founder's newest (docs/quotes.md#scheduled-start). Null: no source has reported one.
   */
  scheduledStart: Micros | null;
};

/** The facts at this point of the log. */
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
