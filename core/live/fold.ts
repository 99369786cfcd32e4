// The live fold: applies one record of a game's partition to the game's state and returns the rows it appends.
// Deterministic: the result depends only on earlier records, so a replay of the log gives the same rows, cuts and boards whatever the time,
// speed, batches or restarts (I3, I10, I21). Independent of files, flushes, Kafka and the catalog.
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { LogPosition } from '../log-position.ts';
import { believedTime, withBelievedTimes } from '../quotes/believed-times.ts';
import { operatorCodeOf } from '../quotes/name-forms.ts';
import { normalisingObservation, operatorPointer } from '../quotes/normalise-observation.ts';
import { tooManyOperators } from '../quotes/normalise-operators.ts';
import type { NormalObservation, QuoteRefusal } from '../quotes/types.ts';
import type { Task } from '../scheduling/task.ts';
import { isOver, noteInPlay, noteStart, noteStatus } from '../settlement/game-lifecycle.ts';
import type { Micros } from '../units.ts';
import { refreshStates } from './board.ts';
import { roomFor } from './game-limits.ts';
import type { GameState, SourceState } from './game-state.ts';
import { gameStart, moveLogTime, operatorOf, sharedWord, sourceOf } from './game-state.ts';
import { identify, rememberRecord } from './identity.ts';
import { isOutboxRepeat } from './outbox-repeats.ts';
import { foldOperators } from './ownership.ts';
import type { Verdict } from './record-track.ts';
import type { FoldRefusal, QuoteRow, RecordOutcome } from './types.ts';

/** What one record did. The game's state shares the rows; do not change them. */
export type Effects = {
  /** The record's outcome for its receipt; null for records that have no receipt: starts, statuses, owner assignments and ticks. */
  outcome: RecordOutcome | null;
  /** In log order, numbered. */
  rows: readonly QuoteRow[];
  /** Indexes into `rows` at which a new segment opens, the log's first included. */
  segmentStarts: readonly number[];
  /** Sportsbooks whose board file changes, in its rows or in a row's state. A sportsbook has a board from its first row on. */
  boardsChanged: readonly string[];
};

/**
 * Folds a record into its game; `recordRefusal` of core/quotes must have returned null for it. Takes the records of a game once each, in
 * log order. An image of thousands of quotes has many steps; between two of them the state is half-way through the record: nothing else may
 * read it. docs/quotes.md#folding.
 */
export function* applyingRecord(game: GameState, logged: QuotesRecord, position: LogPosition): Task<Effects> {
  if (game.closed) return effectsOnClosed(logged);
  if (isOutboxRepeat(game, logged)) return unapplied(null);
  const record = withBelievedTimes(logged, position.timestamp);
  game.gameId = sharedWord(game, record.game_id);
  game.league = sharedWord(game, record.league);
  const effects = yield* foldOpen(game, record, position);
  noteStart(game.lifecycle, gameStart(game), game.logTime);
  game.closed = record.settle !== null || isOver(game.lifecycle, game.logTime);
  return effects;
}

/** The effects of a record on a closed game: none; an observation is refused (docs/settlement.md#after-the-close). */
export function effectsOnClosed(record: Pick<QuotesRecord, 'observation'>): Effects {
  return unapplied(record.observation === null ? null : afterTheClose);
}

function* foldOpen(game: GameState, record: QuotesRecord, position: LogPosition): Task<Effects> {
  if (record.observation !== null) {
    const normal = yield* normalisingObservation(record, position.timestamp, roomFor(game));
    if (normal.kind === 'refused') return unapplied({ state: 'refused', refusals: [asDeadLetter(normal.refusal)] });
    return yield* applyObservation(game, record, position, normal.observation, normal.refusals);
  }
  if (record.tick !== null) moveLogTime(game, record.tick.at);
  if (record.start !== null) applyStart(game, record.source, record.start);
  if (record.status !== null)
    noteStatus(game.lifecycle, { ...record.status, at: believedTime(record.status.at, position.timestamp) });
  if (record.owner !== null && !assignOwner(game, record, record.owner)) return unapplied(ownerBeyondRoom);
  return { outcome: null, rows: none, segmentStarts: none, boardsChanged: refreshStates(game) };
}

/** Folds a normalised observation. `refusals` belong to quotes that normalisation has already removed from it. */
function* applyObservation(
  game: GameState,
  record: QuotesRecord,
  position: LogPosition,
  normal: NormalObservation,
  refusals: readonly QuoteRefusal[],
): Task<Effects> {
  const identity = identify(game, record, position, normal);
  const { verdict } = identity;
  if (verdict !== 'new') return unapplied(isOldNews(verdict, record) ? oldNews : verdictOutcomes[verdict]);

  if (isBeyondRoom(game, normal)) return unapplied(beyondRoom);

  const source = rememberRecord(game, record.source, identity);
  noteRank(source, record);
  const time = identity.sighting.time;
  game.appliedThrough = later(game.appliedThrough, time);
  moveLogTime(game, time);
  game.receiveTimed = normal.observed_at === null;
  if (normal.commence_time !== null) {
    source.start = normal.commence_time;
    game.founder ??= source;
  }

  const start = source.start ?? gameStart(game);
  game.serial += 1;
  const context = {
    game,
    game_id: sharedWord(game, record.game_id),
    league: sharedWord(game, record.league),
    source: source.name,
    in_play: normal.in_play ?? (start !== null && start <= time),
    timestamp: time,
    rows: [],
    segmentStarts: [],
  };
  const found = yield* foldOperators(game, source, normal, context);
  if (normal.in_play === true && context.rows.length > 0) noteInPlay(game.lifecycle, time);
  return {
    outcome: applied(refusals, found),
    rows: context.rows,
    segmentStarts: context.segmentStarts,
    boardsChanged: refreshStates(game),
  };
}

/**
 * Whether a record of a single sportsbook names one that the game has no room for. The whole record is then refused, as for a bad
 * sportsbook code.
 */
function isBeyondRoom(game: GameState, { scope, operators }: NormalObservation): boolean {
  return scope === 'operator' && operators.some(({ operator }) => !roomFor(game)(operator));
}

const none: readonly never[] = [];

function later(known: Micros | null, time: Micros): Micros {
  return known === null || time > known ? time : known;
}

/**
 * Every start from the schedule counts. A founder's `start` record counts once; after that its observations set the start.
 * docs/quotes.md#scheduled-start.
 */
function applyStart(
  game: GameState,
  sourceName: string,
  reported: { scheduled_start: Micros; from_schedule: boolean },
): void {
  if (reported.from_schedule) {
    game.scheduleStart = reported.scheduled_start;
    return;
  }
  const source = sourceOf(game, sourceName);
  source.start ??= reported.scheduled_start;
  if (game.founderLogged) return;
  game.founder = source;
  game.founderLogged = true;
}

/**
 * Applies `sds sources assign`: gives the sportsbook to a source of any rank; a source of higher rank can take it back. Returns false if
 * the game does not hold the sportsbook and has no room for it. docs/quotes.md#ownership.
 */
function assignOwner(
  game: GameState,
  record: QuotesRecord,
  reported: { operator: string; owner_source: string },
): boolean {
  const code = operatorCodeOf(reported.operator);
  if (code === null || !roomFor(game)(code)) return false;
  noteRank(sourceOf(game, record.source), record);
  operatorOf(game, code).owner = sourceOf(game, reported.owner_source);
  return true;
}

/** A record without a rank does not change its source's rank. docs/quotes.md#ownership. */
function noteRank(source: SourceState, { rank }: QuotesRecord): void {
  if (rank !== null) source.rank = rank;
}

const beyondRoom = refusedAt(operatorPointer(0), tooManyOperators);
const ownerBeyondRoom = refusedAt('/owner/operator', tooManyOperators);
const afterTheClose = refusedAs('game-settled', 'the game is closed: its quotes are settled');

const plainlyApplied: RecordOutcome = { state: 'applied', refusals: none };

const verdictOutcomes: Record<Exclude<Verdict, 'new'>, RecordOutcome> = {
  duplicate: { state: 'duplicate', refusals: none },
  conflict: refusedAs('conflict', 'another push has other content for this time'),
  late: refusedAs('late-observation', 'a newer record of this source and scope has been applied'),
};

/**
 * A feed that replays its history sends past times by design, so these do not become dead letters. docs/revisions.md#feeds-and-datasets.
 */
function isOldNews(verdict: Verdict, { observation }: QuotesRecord): boolean {
  return verdict === 'late' && observation?.history === true;
}

const oldNews = refusedAs('late-observation', 'a newer record of this history has been applied', false);

function refusedAs(code: FoldRefusal['code'], detail: string, deadLetter = true): RecordOutcome {
  return { state: 'refused', refusals: [{ code, pointer: '', detail, deadLetter }] };
}

function refusedAt(pointer: string, { code, detail }: Pick<FoldRefusal, 'code' | 'detail'>): RecordOutcome {
  return { state: 'refused', refusals: [{ code, pointer, detail, deadLetter: true }] };
}

function applied(ofQuotes: readonly QuoteRefusal[], found: readonly FoldRefusal[]): RecordOutcome {
  if (ofQuotes.length === 0) return found.length === 0 ? plainlyApplied : { state: 'applied', refusals: found };
  return { state: 'applied', refusals: [...ofQuotes.map(asDeadLetter), ...found] };
}

function asDeadLetter(refusal: QuoteRefusal): FoldRefusal {
  return { ...refusal, deadLetter: true };
}

function unapplied(outcome: RecordOutcome | null): Effects {
  return { outcome, rows: none, segmentStarts: none, boardsChanged: none };
}
