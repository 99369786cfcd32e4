// A game's state as plain data, for checkpoints. The round trip is exact: a fold that is saved and loaded continues as if it had never
// stopped (I21). Recurring strings are stored once, in a table; rows refer to them by number.
import type { PriceFormat } from '../quotes/types.ts';
import type { Task } from '../scheduling/task.ts';
import { type GameLifecycle, noteStart, noteStatus } from '../settlement/game-lifecycle.ts';
import type { Micros } from '../units.ts';
import { isStale } from './board.ts';
import type { GameState, OpenSegment, OperatorState, QuotedSelection, SourceState } from './game-state.ts';
import { gameStart, newGame, newOperator, sourceOf } from './game-state.ts';
import { isListed } from './offer.ts';
import type { OutboxRecord } from './outbox-repeats.ts';
import { loadRecordIds, saveRecordIds } from './record-ids.ts';
import type { SavedTrack } from './record-track.ts';
import { loadTrack, saveTrack } from './record-track.ts';
import type { QuoteChange } from './types.ts';
import { compareUtf8 } from './utf8-order.ts';
import { type Word, WordTable } from './word-table.ts';

const savedForm = 3;

/** Selections that are saved in one step. */
const selectionsOfStep = 256;

type SavedSource = {
  name: Word;
  /** Since form 3. */
  rank?: number;
  start: Micros | null;
  newest: Micros | null;
  tracks: [scope: Word, track: SavedTrack][];
};

/** Columns of the newest row, then flags (1 open, 2 in play, 4 alternate, 8 missing once). */
type SavedSelection = [
  id: Word,
  market: Word,
  period: Word,
  selection: Word,
  player: Word,
  line: number | null,
  american: number | null,
  decimal: number | null,
  format: Word,
  change: Word,
  timestamp: Micros,
  sourceTimestamp: Micros | null,
  source: Word,
  gameId: Word,
  league: Word,
  rowNumber: number,
  flags: number,
];

type SavedOperator = {
  code: string;
  owner: Word;
  named: [source: Word, time: Micros][];
  refused: [source: Word, hours: number[]][];
  watermark: Micros | null;
  inPlay: boolean;
  lastRowAt: Micros | null;
  boardThrough: Micros | null;
  selections: SavedSelection[];
};

type SavedGame = {
  /** 2: from releases before ranks. */
  form: typeof savedForm | 2;
  uuid: string;
  gameId: Word;
  league: Word;
  generation: number;
  firstSeq: number;
  rows: number;
  segment: OpenSegment | null;
  logTime: Micros | null;
  appliedThrough: Micros | null;
  /** Releases before this one also saved false where nothing had been applied. */
  receiveTimed: boolean | null;
  course: GameLifecycle;
  closed: boolean;
  scheduleStart: Micros | null;
  founder: Word;
  founderLogged: boolean;
  sources: SavedSource[];
  operators: SavedOperator[];
  recordIds: string;
  /** Absent in releases before it. */
  told?: OutboxRecord[];
  words: string[];
};

/** The state as JSON-safe data, which shares nothing with the game. Fold nothing into the game before the last step. */
export function* savingGame(game: GameState): Task<SavedGame> {
  const table = new WordTable();
  return {
    form: savedForm,
    uuid: game.uuid,
    gameId: table.numberOf(game.gameId),
    league: table.numberOf(game.league),
    generation: game.generation,
    firstSeq: game.firstSeq,
    rows: game.rows,
    segment: game.segment === null ? null : { ...game.segment },
    logTime: game.logTime,
    appliedThrough: game.appliedThrough,
    receiveTimed: game.receiveTimed,
    course: structuredClone(game.lifecycle),
    closed: game.closed,
    scheduleStart: game.scheduleStart,
    founder: table.numberOf(game.founder?.name ?? null),
    founderLogged: game.founderLogged,
    sources: Array.from(game.sources.values(), (source) => saveSource(source, table)),
    operators: yield* savingOperators(game.operators, table),
    recordIds: saveRecordIds(game.recordIds),
    ...(game.fromOutbox.length === 0 ? {} : { told: [...game.fromOutbox] }),
    words: table.words,
  };
}

/** The form of releases before settlement: a status, without what came before it. */
type FirstForm = Omit<SavedGame, 'form' | 'gameId' | 'league' | 'course' | 'closed'> & {
  form: 1;
  status: { status: string; at: Micros } | null;
};

/** Restores what `savingGame` of this form or an earlier one saved. Any other form is the caller's bug. */
export function loadGame(data: unknown): GameState {
  const saved = data as SavedGame | FirstForm;
  if (saved.form !== savedForm && saved.form !== 2 && saved.form !== 1)
    throw new Error(`a saved game of form ${String((data as { form: unknown }).form)} is not known`);
  const word = (number: Word) => saved.words[number]!;
  const game = newGame(saved.uuid, { generation: saved.generation, firstSeq: saved.firstSeq });
  game.rows = saved.rows;
  game.segment = saved.segment === null ? null : { ...saved.segment };
  game.logTime = saved.logTime;
  game.appliedThrough = saved.appliedThrough;
  game.receiveTimed = saved.appliedThrough === null ? null : saved.receiveTimed;
  game.scheduleStart = saved.scheduleStart;
  game.founderLogged = saved.founderLogged;
  for (const savedSource of saved.sources) {
    const source = sourceOf(game, word(savedSource.name));
    source.rank = savedSource.rank ?? 0;
    source.start = savedSource.start;
    source.newest = savedSource.newest;
    for (const [scope, track] of savedSource.tracks) source.tracks.set(word(scope), loadTrack(track));
  }
  if (saved.founder >= 0) game.founder = sourceOf(game, word(saved.founder));
  game.operators = saved.operators.map((operator) => loadOperator(operator, game, word));
  game.recordIds = loadRecordIds(saved.recordIds);
  game.fromOutbox = [...(saved.told ?? [])];
  for (const operator of game.operators) operator.stale = isStale(game, operator);
  if (saved.form === 1) resumeCourse(game, saved.status);
  else {
    game.gameId = word(saved.gameId);
    game.league = word(saved.league);
    game.lifecycle = structuredClone(saved.course);
    game.closed = saved.closed;
  }
  return game;
}

/** The part of the lifecycle that the first form holds. */
function resumeCourse(game: GameState, status: FirstForm['status']): void {
  const [row] = game.operators.flatMap(({ selections }) => Array.from(selections.values(), (each) => each.row));
  game.gameId = row?.game_id ?? '';
  game.league = row?.league ?? '';
  if (status !== null) noteStatus(game.lifecycle, status);
  noteStart(game.lifecycle, gameStart(game), game.logTime);
}

function saveSource(source: SourceState, table: WordTable): SavedSource {
  return {
    name: table.numberOf(source.name),
    rank: source.rank,
    start: source.start,
    newest: source.newest,
    tracks: Array.from(source.tracks, ([scope, track]) => [table.numberOf(scope), saveTrack(track)]),
  };
}

function* savingOperators(operators: readonly OperatorState[], table: WordTable): Task<SavedOperator[]> {
  const saved: SavedOperator[] = [];
  for (const operator of operators) saved.push(yield* savingOperator(operator, table));
  return saved;
}

function* savingOperator(operator: OperatorState, table: WordTable): Task<SavedOperator> {
  return {
    code: operator.code,
    owner: table.numberOf(operator.owner?.name ?? null),
    named: operator.named.map(({ source, time }) => [table.numberOf(source.name), time]),
    refused: operator.refusedHours.map(({ source, hours }) => [table.numberOf(source.name), [...hours]]),
    watermark: operator.watermark,
    inPlay: operator.inPlay,
    lastRowAt: operator.lastRowAt,
    boardThrough: operator.boardThrough,
    selections: yield* savingSelections(operator.selections.values(), table),
  };
}

function* savingSelections(selections: Iterable<QuotedSelection>, table: WordTable): Task<SavedSelection[]> {
  const saved: SavedSelection[] = [];
  for (const selection of selections) {
    saved.push(saveSelection(selection, table));
    if (saved.length % selectionsOfStep === 0) yield;
  }
  yield;
  return saved;
}

function saveSelection({ row, alternate, missing }: QuotedSelection, table: WordTable): SavedSelection {
  const flags = (row.is_open ? 1 : 0) | (row.in_play ? 2 : 0) | (alternate ? 4 : 0) | (missing > 0 ? 8 : 0);
  return [
    table.numberOf(row.selection_id),
    table.numberOf(row.market),
    table.numberOf(row.period),
    table.numberOf(row.selection),
    table.numberOf(row.player_id),
    row.line,
    row.price_american,
    row.price_decimal,
    table.numberOf(row.price_source_format),
    table.numberOf(row.change),
    row.timestamp,
    row.source_timestamp,
    table.numberOf(row.source),
    table.numberOf(row.game_id),
    table.numberOf(row.league),
    row.row_number,
    flags,
  ];
}

function loadOperator(saved: SavedOperator, game: GameState, word: (number: Word) => string): OperatorState {
  const operator = newOperator(saved.code);
  if (saved.owner >= 0) operator.owner = sourceOf(game, word(saved.owner));
  operator.named = saved.named.map(([source, time]) => ({ source: sourceOf(game, word(source)), time }));
  operator.refusedHours = saved.refused.map(([source, hours]) => ({
    source: sourceOf(game, word(source)),
    hours: [...hours],
  }));
  operator.watermark = saved.watermark;
  operator.inPlay = saved.inPlay;
  operator.lastRowAt = saved.lastRowAt;
  operator.boardThrough = saved.boardThrough;
  for (const columns of saved.selections) {
    const selection = loadSelection(columns, saved.code, word);
    operator.selections.set(selection.row.selection_id, selection);
    if (isListed(selection.row)) operator.live.push(selection);
    operator.missing += selection.missing;
  }
  operator.live.sort((a, b) => compareUtf8(a.row.selection_id, b.row.selection_id));
  return operator;
}

function loadSelection(columns: SavedSelection, operator: string, word: (number: Word) => string): QuotedSelection {
  const [id, market, period, name, player, line, american, decimal, format, change] = columns;
  const [, , , , , , , , , , timestamp, sourceTimestamp, source, gameId, league, rowNumber, flags] = columns;
  const row = {
    game_id: word(gameId),
    league: word(league),
    operator,
    row_number: small(rowNumber),
    selection_id: word(id),
    market: word(market),
    period: word(period),
    selection: word(name),
    player_id: player < 0 ? null : word(player),
    line: line === null ? null : small(line),
    price_american: american === null ? null : small(american),
    price_decimal: decimal === null ? null : small(decimal),
    price_source_format: format < 0 ? null : (word(format) as PriceFormat),
    is_open: (flags & 1) !== 0,
    change: word(change) as QuoteChange,
    in_play: (flags & 2) !== 0,
    timestamp,
    source_timestamp: sourceTimestamp,
    source: word(source),
  };
  return { row, alternate: (flags & 4) !== 0, missing: (flags & 8) !== 0 ? 1 : 0, mark: 0 };
}

/** A 32-bit integer in V8's small representation: JSON yields doubles, which take 16 more bytes each and slow the fold. */
function small(integer: number): number {
  return integer | 0;
}
