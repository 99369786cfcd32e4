// One game's live state: the offer of each operator, who owns it, what each source has told, what was applied, and where the
// log stands. Mutable and owned by the fold; others read it through board.ts and manifest.ts. Rows in it are those the fold
// has given out: nobody changes one. Deliberately unaware of files, flushes, partitions and the time of day.
import { type GameCourse, newCourse } from '../settlement/course.ts';
import type { Micros } from '../units.ts';
import type { RecordIds } from './record-ids.ts';
import { newRecordIds } from './record-ids.ts';
import type { Track } from './record-track.ts';
import type { QuoteRow } from './types.ts';

/** A selection an operator has quoted. Open, suspended or withdrawn is what its newest row says. */
export type Selection = {
  row: QuoteRow;
  /** Whether the line is part of the identity: images say of this what they cover. */
  alternate: boolean;
  /** How many images in a row left it out; 0 or 1 while open or suspended. */
  missing: number;
  /** Number of the record that last named it; scratch of the fold. */
  mark: number;
};

/** What one source has told of this game. */
export type SourceState = {
  name: string;
  /** As its newest record, by log position, that told one; 0 before any has. docs/quotes.md#ownership. */
  rank: number;
  /** The newest start it has told, by log position. */
  start: Micros | null;
  /** The newest time of its applied records. */
  newest: Micros | null;
  /** By scope: an operator code, or '' for the whole game. */
  tracks: Map<string, Track>;
};

/** One operator in one game: its offer, its owner and how fresh it is (docs/quotes.md#folding). */
export type OperatorState = {
  code: string;
  owner: SourceState | null;
  /** Per source, the newest time of its applied records that named this operator, refused ones included. */
  named: { source: SourceState; time: Micros }[];
  /** Per refused source, the hours of log that already have an `other-source` dead letter. */
  refusedHours: { source: SourceState; hours: number[] }[];
  /** `observed_through`; null until an image or delta of its owner has named it. */
  watermark: Micros | null;
  /** Whether the newest record that spoke of it carried `in_play: true`. */
  inPlay: boolean;
  selections: Map<string, Selection>;
  /** Those open or suspended, by `selection_id` (UTF-8 bytes): the board. */
  live: Selection[];
  /** How many of `live` are missing once. */
  missing: number;
  /** `timestamp` of its newest row; null while it has none in this log. */
  lastRowAt: Micros | null;
  /** Whether its watermark is too old to be believed at the game's log time. */
  stale: boolean;
  /** The watermark when its rows or states last changed. */
  boardThrough: Micros | null;
  /** What the record being folded has done to the board; scratch, all zero between records. */
  changedRows: number;
  wentMissing: number;
  cameBack: number;
};

/** The segment being filled. */
export type OpenSegment = { seq: number; rows: number; firstTimestamp: Micros };

export type GameState = {
  uuid: string;
  /** What its newest record called it, and its league; empty before the first. */
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
  /** What settlement has to know of it. */
  course: GameCourse;
  /** Whether it is closed: nothing more is folded into it. */
  closed: boolean;
  /** The schedule's start, where there is one. */
  scheduleStart: Micros | null;
  /** The source whose event founded the game: by its `start` record, else the first that told a start. */
  founder: SourceState | null;
  founderLogged: boolean;
  sources: Map<string, SourceState>;
  /** By code, in order of codes (bytes). */
  operators: OperatorState[];
  recordIds: RecordIds;
  /** Number of the record being folded; scratch, orders nothing. */
  serial: number;
  /** One copy of the short strings that rows of this game share; scratch. */
  words: Map<string, string>;
};

/** A game before its first record. A log after the first of a game starts at the `firstSeq` given (docs/interface.md#rebuilt-logs). */
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
    course: newCourse(),
    closed: false,
    scheduleStart: null,
    founder: null,
    founderLogged: false,
    sources: new Map(),
    operators: [],
    recordIds: newRecordIds(),
    serial: 0,
    words: new Map(),
  };
}

/** The game's start: the schedule's, else its founder's newest. docs/quotes.md#scheduled-start. */
export function gameStart(game: GameState): Micros | null {
  return game.scheduleStart ?? game.founder?.start ?? null;
}

/** Brings log time to `time`: it never goes back. docs/quotes.md#ticks. */
export function moveLogTime(game: GameState, time: Micros): void {
  if (game.logTime === null || time > game.logTime) game.logTime = time;
}

/** Whether an operator stands for a selection, open or suspended. */
export function hasOpenOffer(game: GameState): boolean {
  for (const operator of game.operators) if (operator.live.length > 0) return true;
  return false;
}

/** The game's one copy of a word that many of its rows carry. */
export function sharedWord(game: GameState, word: string): string {
  const shared = game.words.get(word);
  if (shared !== undefined) return shared;
  game.words.set(word, word);
  return word;
}

/** What the game knows of a source, new or not. */
export function sourceOf(game: GameState, name: string): SourceState {
  let source = game.sources.get(name);
  if (source === undefined) {
    source = { name, rank: 0, start: null, newest: null, tracks: new Map() };
    game.sources.set(name, source);
  }
  return source;
}

/** The operator's state, if any record has named it. */
export function findOperator(game: GameState, code: string): OperatorState | undefined {
  const at = positionOf(game.operators, code);
  const found = game.operators[at];
  return found?.code === code ? found : undefined;
}

/** The operator's state, made where no record has named it before. */
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

/** Where `code` stands or belongs. Codes are ASCII, so JavaScript's order is that of bytes. */
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
