// The live state of one game: what each sportsbook offers, who owns it, what each source has reported, which records were applied, and
// where the log stands. Only the fold changes it; others read it through board.ts and manifest.ts. Its rows are shared with the fold's
// results, so never change a row in place. Independent of files, flushes, partitions and the clock.
import { type GameLifecycle, newLifecycle } from '../settlement/game-lifecycle.ts';
import type { Micros } from '../units.ts';
import type { OutboxRecord } from './outbox-repeats.ts';
import type { RecordIds } from './record-ids.ts';
import { newRecordIds } from './record-ids.ts';
import type { Track } from './record-track.ts';
import type { QuoteRow } from './types.ts';

/** A selection that a sportsbook has quoted. Its newest row says whether it is open, suspended or withdrawn. */
export type QuotedSelection = {
  row: QuoteRow;
  /** Whether the line is part of the selection's identity; the coverage of an image refers to this. */
  alternate: boolean;
  /** How many consecutive images have left it out; 0 or 1 while open or suspended. */
  missing: number;
  /** Number of the last record that named it; scratch space of the fold. */
  mark: number;
};

/** What one source has reported of this game. */
export type SourceState = {
  name: string;
  /** From its newest record, by log position, that states a rank; 0 until one does. docs/quotes.md#ownership. */
  rank: number;
  /** The newest start it has reported, by log position. */
  start: Micros | null;
  /** The newest time of its applied records. */
  newest: Micros | null;
  /** By scope: a sportsbook code, or '' for the whole game. */
  tracks: Map<string, Track>;
};

/** One sportsbook in one game: what it offers, who owns it and how fresh it is (docs/quotes.md#folding). */
export type OperatorState = {
  code: string;
  owner: SourceState | null;
  /** Per source, the newest time of its applied records that named this sportsbook, even if the part about it was refused. */
  named: { source: SourceState; time: Micros }[];
  /** Per refused source, the hours of log time that already have an `other-source` dead letter. */
  refusedHours: { source: SourceState; hours: number[] }[];
  /** `observed_through`; null until an image or delta of the owner names the sportsbook. */
  watermark: Micros | null;
  /** Whether the newest record about it carried `in_play: true`. */
  inPlay: boolean;
  selections: Map<string, QuotedSelection>;
  /** The open and suspended ones, by `selection_id` (UTF-8 bytes): the board. */
  live: QuotedSelection[];
  /** How many of `live` the last image left out. */
  missing: number;
  /** `timestamp` of its newest row; null while it has none in this log. */
  lastRowAt: Micros | null;
  /** Whether its quotes are too old to trust at the game's log time. */
  stale: boolean;
  /** The watermark at the last change of its rows or states. */
  boardThrough: Micros | null;
  /** Changes that the current record makes to the board; scratch space, zero between records. */
  changedRows: number;
  wentMissing: number;
  cameBack: number;
};

/** The segment being filled. */
export type OpenSegment = { seq: number; rows: number; firstTimestamp: Micros };

export type GameState = {
  uuid: string;
  /** Public id and league from its newest record; empty before the first. */
  gameId: string;
  league: string;
  generation: number;
  firstSeq: number;
  rows: number;
  segment: OpenSegment | null;
  logTime: Micros | null;
  appliedThrough: Micros | null;
  /** Whether the newest applied observation was receive-timed; null while none has been applied. */
  receiveTimed: boolean | null;
  /** The facts that settlement needs. */
  lifecycle: GameLifecycle;
  /** A closed game takes no more records. */
  closed: boolean;
  /** The start from the schedule, if there is one. */
  scheduleStart: Micros | null;
  /** The source that founded the game: the one of its `start` record, otherwise the first that reported a start. */
  founder: SourceState | null;
  founderLogged: boolean;
  sources: Map<string, SourceState>;
  /** In byte order of their codes. */
  operators: OperatorState[];
  recordIds: RecordIds;
  /** Its newest records from the outbox, to recognise repeats. */
  fromOutbox: OutboxRecord[];
  /** Number of the current record; scratch space, unrelated to log order. */
  serial: number;
  /** One copy of each short string that many rows share; scratch space. */
  words: Map<string, string>;
};

/** A game before its first record. If its log was rebuilt, the new log begins at the given `firstSeq` (docs/interface.md#rebuilt-logs). */
export function newGame(uuid: string, log: { generation: number; firstSeq: number }): GameState {
  return {
    uuid,
    gameId: '',
    league: '',
    generation: log.generation,
    firstSeq: log.firstSeq,
    rows: 0,
    segment: null,
    logTime: null,
    appliedThrough: null,
    receiveTimed: null,
    lifecycle: newLifecycle(),
    closed: false,
    scheduleStart: null,
    founder: null,
    founderLogged: false,
    sources: new Map(),
    operators: [],
    recordIds: newRecordIds(),
    fromOutbox: [],
    serial: 0,
    words: new Map(),
  };
}

/** The game's start: the schedule's, otherwise the newest from its founder. docs/quotes.md#scheduled-start. */
export function gameStart(game: GameState): Micros | null {
  return game.scheduleStart ?? game.founder?.start ?? null;
}

/** Whether log time has reached a start that only odds report: readers see the game as started then (core/games/shown-status.ts). */
export function hasReachedStart(game: GameState): boolean {
  const start = gameStart(game);
  return game.scheduleStart === null && start !== null && game.logTime !== null && start <= game.logTime;
}

/** Advances log time to `time`; it never goes back. docs/quotes.md#ticks. */
export function moveLogTime(game: GameState, time: Micros): void {
  if (game.logTime === null || time > game.logTime) game.logTime = time;
}

/** Whether any sportsbook has an open or suspended selection. */
export function hasOpenOffer(game: GameState): boolean {
  for (const operator of game.operators) if (operator.live.length > 0) return true;
  return false;
}

/** Returns the game's one copy of a string that many of its rows carry. */
export function sharedWord(game: GameState, word: string): string {
  const shared = game.words.get(word);
  if (shared !== undefined) return shared;
  game.words.set(word, word);
  return word;
}

/** The game's state of a source; created if it is new. */
export function sourceOf(game: GameState, name: string): SourceState {
  let source = game.sources.get(name);
  if (source === undefined) {
    source = { name, rank: 0, start: null, newest: null, tracks: new Map() };
    game.sources.set(name, source);
  }
  return source;
}

/** The sportsbook's state, or undefined if no record has named it. */
export function findOperator(game: GameState, code: string): OperatorState | undefined {
  const at = positionOf(game.operators, code);
  const found = game.operators[at];
  return found?.code === code ? found : undefined;
}

/** The sportsbook's state; created if no record has named it before. */
export function operatorOf(game: GameState, code: string): OperatorState {
  const at = positionOf(game.operators, code);
  const found = game.operators[at];
  if (found?.code === code) return found;
  const operator = newOperator(code);
  game.operators.splice(at, 0, operator);
  return operator;
}

export function newOperator(code: string): OperatorState {
  return {
    code,
    owner: null,
    named: [],
    refusedHours: [],
    watermark: null,
    inPlay: false,
    selections: new Map(),
    live: [],
    missing: 0,
    lastRowAt: null,
    stale: false,
    boardThrough: null,
    changedRows: 0,
    wentMissing: 0,
    cameBack: 0,
  };
}

/** Index of `code`, or where to insert it. Codes are ASCII, so JavaScript's string order is byte order. */
function positionOf(operators: readonly OperatorState[], code: string): number {
  let low = 0;
  let high = operators.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (operators[middle]!.code < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
