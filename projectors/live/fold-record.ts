// One record of `sds.quotes.v1` into the games of a partition: the rules are in core/live; here is what of their effects a flush has to publish,
// and what the record itself has become.
import { nilUuid } from '../../core/games/uuid.ts';
import { applyingRecord, type Effects, effectsOnClosed } from '../../core/live/fold.ts';
import { type GameState, hasReachedStart, newGame } from '../../core/live/game-state.ts';
import { tickGames } from '../../core/live/ticks.ts';
import { waitingFor } from '../../core/live/waiting.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import { recordRefusal } from '../../core/quotes/normalise-observation.ts';
import type { RefusalCode } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { closedGame } from '../../core/settlement/closed-game.ts';
import type { Micros } from '../../core/units.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { misplacement } from '../worker/misplacement.ts';
import { receiptOf } from '../worker/receipts.ts';
import { queueDeadLetters } from '../worker/record-dead-letters.ts';
import { appendRows, changesOf, type LiveChanges } from './changes.ts';
import { deadLettersOf } from './dead-letters.ts';

/** The games of a partition, by UUID. `touched`: those that records have been folded into; `closed`: those of which no more is remembered. */
export type LiveGames = {
  partition: number;
  games: Map<string, GameState>;
  touched: Set<GameState>;
  closed: Set<string>;
  /** The log that a game begins with; absent: its first. */
  begins?: { generation: number; firstSeq: number };
};

/** Folds a record, and notes in `changes` what a flush has to publish of it. */
export function* foldingRecord(live: LiveGames, changes: LiveChanges, delivered: DeliveredRecord): Task<void> {
  yield;
  const { partition, games } = live;
  if (delivered.undecodable !== null) {
    const refusal = { code: 'bad-record', pointer: '', detail: delivered.undecodable } as const;
    queueDeadLetters(changes, deadLettersOf(partition, delivered, null, [refusal]));
    return;
  }
  const record = delivered.value as QuotesRecord;
  const refusal = recordRefusal(delivered.key, record) ?? misplacement(delivered);
  if (refusal !== null) {
    queueDeadLetters(changes, deadLettersOf(partition, delivered, record, [refusal]));
    noteReceipt(changes, record, 'refused', [refusal], null);
    return;
  }
  if (record.game_uuid === nilUuid) {
    if (record.tick !== null) foldPartitionTick(live, changes, record.tick.at, delivered.timestamp);
    return;
  }
  if (live.closed.has(record.game_uuid)) {
    noteOutcome(changes, live, delivered, effectsOnClosed(record).outcome, null);
    return;
  }
  let game = games.get(record.game_uuid);
  if (game === undefined) {
    if (record.tick !== null || isRebuild(record)) return;
    game = newGame(record.game_uuid, live.begins ?? { generation: 1, firstSeq: 1 });
    games.set(record.game_uuid, game);
  }
  live.touched.add(game);
  const openSeq = game.segment?.seq ?? 0;
  const waited = waitingFor(game)?.ticked;
  const hadReached = hasReachedStart(game);
  const effects = yield* applyingRecord(game, record, {
    partition,
    offset: delivered.offset,
    timestamp: delivered.timestamp,
  });
  const applied = effects.outcome?.state === 'applied';
  if (applied || effects.boardsChanged.length > 0) {
    const changed = changesOf(changes, record.game_uuid);
    appendRows(changed, openSeq, game.firstSeq, effects.rows, effects.segmentStarts);
    for (const operator of effects.boardsChanged) changed.boards.add(operator);
  }
  if (!hadReached && hasReachedStart(game)) noteNewLogTime(changes, game);
  const waits = waitingFor(game)?.ticked;
  if (game.closed) noteClose(changes, game);
  else if (waits !== waited) noteSettlement(changes, game, waits ?? false);
  noteOutcome(changes, live, delivered, effects.outcome, game);
}

/** Whether the record orders its game's log to be folded anew. */
export function isRebuild({ rebuild = null }: QuotesRecord): boolean {
  return rebuild !== null;
}

function noteOutcome(
  changes: LiveChanges,
  { partition }: LiveGames,
  delivered: DeliveredRecord,
  outcome: Effects['outcome'],
  game: GameState | null,
): void {
  if (outcome === null) return;
  const record = delivered.value as QuotesRecord;
  const refused = outcome.refusals.filter((refusal) => refusal.deadLetter);
  queueDeadLetters(changes, deadLettersOf(partition, delivered, record, refused));
  noteReceipt(changes, record, outcome.state, outcome.refusals, game);
}

function foldPartitionTick({ games, touched }: LiveGames, changes: LiveChanges, at: Micros, brokerTime: Micros): void {
  tickGames(games.values(), at, brokerTime, (game, { boardsChanged, reachesStart }) => {
    touched.add(game);
    for (const operator of boardsChanged) changesOf(changes, game.uuid).boards.add(operator);
    if (reachesStart) noteNewLogTime(changes, game);
    if (game.closed) noteClose(changes, game);
  });
}

/** The log is published, although nothing of its files changes: with its close nothing is on offer; with its start the game is shown as started. */
function noteNewLogTime(changes: LiveChanges, game: GameState): void {
  if (game.appliedThrough !== null) changesOf(changes, game.uuid);
}

function noteClose(changes: LiveChanges, game: GameState): void {
  noteNewLogTime(changes, game);
  noteSettlement(changes, game, false);
}

type Settlements = Pick<LiveChanges, 'settlements'>;

/** Notes of a game that waits for its close, or is closed, that it does. */
export function noteWaiting(changes: Settlements, game: GameState): void {
  const waiting = waitingFor(game);
  if (game.closed || waiting !== null) noteSettlement(changes, game, waiting?.ticked ?? false);
}

function noteSettlement(changes: Settlements, game: GameState, ticked: boolean): void {
  const closed = game.closed ? closedGame(game) : null;
  changes.settlements.set(game.uuid, { gameUuid: game.uuid, ticked, closed });
}

/** Refusals of one record in its receipt: more than all quotes that a record may have. */
const mostInReceipt = 6_000;

function noteReceipt(
  changes: LiveChanges,
  record: QuotesRecord,
  state: 'applied' | 'duplicate' | 'refused',
  refusals: readonly { code: RefusalCode; pointer: string }[],
  game: GameState | null,
): void {
  const { push, push_index: index, source } = record;
  // A record without an index is none of a gateway's, nor is one of a source that cannot be; no receipt waits for them.
  if (push === null || index === null || index < 0 || !isSourceName(source)) return;
  const fold = receiptOf(changes, push, source);
  if (state === 'applied') fold.applied.push(index);
  else if (state === 'duplicate') fold.duplicates.push(index);
  else fold.refused.push(index);
  if (state === 'applied' && refusals.length === 0) return;
  fold.records.push({
    index,
    state,
    game_id: record.game_id,
    seq: game?.segment?.seq ?? null,
    rows: game?.segment?.rows ?? null,
    refusals: refusals.slice(0, mostInReceipt).map((refusal) => ({ pointer: refusal.pointer, code: refusal.code })),
  });
}
