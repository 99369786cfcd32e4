// What the fold of one game keeps: rows, operators with their selections, every applied observation, the starts.
// Everything derivable is derived by scanning: docs/quotes.md#fold-state.

export type Change = 'opened' | 'price' | 'line' | 'price_and_line' | 'suspended' | 'resumed' | 'withdrawn';

export interface Row {
  /** "The id that the record carried" (docs/quotes.md#columns). */
  gameId: string;
  operator: string;
  selectionId: string;
  market: string;
  period: string;
  selection: string;
  playerId: string | null;
  line: string | null;
  priceAmerican: number | null;
  priceDecimal: string | null;
  priceSourceFormat: string | null;
  isOpen: boolean;
  change: Change;
  inPlay: boolean;
  timestamp: bigint;
  sourceTimestamp: bigint | null;
  source: string;
}

export interface Selection {
  /** The newest row of the selection. */
  row: Row;
  lineInIdentity: boolean;
  missing: number;
}

export interface Operator {
  code: string;
  owner: string | undefined;
  watermark: bigint | undefined;
  /** `in_play` of the newest record that covered the operator. */
  inPlayFlag: boolean | undefined;
  selections: Selection[];
  observedThrough: bigint | undefined;
  /** Rows and states of the operator's board when it was last rewritten, and how often that happened. */
  written: string;
  rewrites: number;
}

export interface Applied {
  recordId: string | undefined;
  source: string;
  scope: string;
  time: bigint;
  sha256: string;
  push: string;
  names: string[];
  sourceTimed: boolean;
}

export interface GameFold {
  rows: Row[];
  operators: Operator[];
  applied: Applied[];
  /** Operators named by applied records or given an owner: each takes one of the game's places. */
  held: string[];
  /** The starts that records gave, in log order. */
  starts: { source: string; start: bigint }[];
  /** The ranks that records carried, in log order. */
  ranks: { source: string; rank: number }[];
  /** The schedule's start (MSF `games`), if there is one. */
  scheduledStart: bigint | undefined;
  /** "The source whose event first resolved to it", if it is recorded; otherwise the first source with a start. */
  firstSource: string | undefined;
  /** Undefined until a record is applied or a tick comes. */
  logTime: bigint | undefined;
}

export function newGame(firstSource: string | undefined): GameFold {
  return {
    rows: [],
    operators: [],
    applied: [],
    held: [],
    starts: [],
    ranks: [],
    scheduledStart: undefined,
    firstSource,
    logTime: undefined,
  };
}

/** The start in the newest record, by log position, in which this source gave one. */
export function newestToldBy(game: GameFold, source: string | undefined): bigint | undefined {
  return game.starts.findLast((each) => each.source === source)?.start;
}

/** The rank of a source in its newest record that carries one; 0 before that. */
export function rankOf(game: GameFold, source: string): number {
  return game.ranks.findLast((each) => each.source === source)?.rank ?? 0;
}

/** docs/quotes.md#scheduled-start: "the schedule's where there is one, else that of the source whose event first resolved to it". */
export function gameStart(game: GameFold): bigint | undefined {
  return game.scheduledStart ?? newestToldBy(game, game.firstSource ?? game.starts[0]?.source);
}

/** "The newest of the times of applied records" that match; `undefined` if none does. */
export function newestTime(game: GameFold, matches: (record: Applied) => boolean): bigint | undefined {
  let newest: bigint | undefined;
  for (const record of game.applied) {
    if (matches(record) && (newest === undefined || record.time > newest)) newest = record.time;
  }
  return newest;
}

/** `applied_through` of the manifest (docs/interface.md#live-manifest): ticks do not move it. */
export function appliedThrough(game: GameFold): bigint | undefined {
  return newestTime(game, () => true);
}
