// The first entry point: pushes, in the terms of the vectors' README, to an empty service in memory. Each push is read,
// resolved and folded completely before the next. The gateway's memory of idempotency keys (docs/operations.md) is here
// too.
import { boardsAt, cutSegments } from './board.ts';
import { applyObservation, applyTick } from './fold.ts';
import { emptyCatalog, findById, type Game, idOf, resolveGame, type Team } from './games.ts';
import { type Json, member, readJson } from './json.ts';
import { readNative } from './native.ts';
import type { ReadElement } from './observation.ts';
import { type OddsApiQuery, readOddsApi } from './odds-api.ts';
import type { Timing } from './source-time.ts';
import { type GameFold, gameStart, newGame, type Row } from './state.ts';
import { hour, readTime, writeTime } from './times.ts';

export interface Push {
  /** The step of the vector file that the push belongs to. */
  step: number;
  source: string;
  scopes: string[];
  format: 'quotes' | 'the-odds-api-v4' | 'tick';
  query: OddsApiQuery;
  at: string;
  timed: 'receive' | 'source';
  idempotencyKey: string | undefined;
  /** As sent; empty for a tick. */
  body: string;
}

export type Refusal = [step: number, index: number | null, code: string | number];

export interface GameOutcome {
  league: string;
  id: string;
  uuid: string;
  rows: Row[];
  segments: number[];
  boards: Record<string, [selectionId: string, missing: number][]>;
  watermarks: Record<string, string>;
  /**
   * From an operator to the `quote_state` of each row of its board, "once a tick has brought the game's log time
   * there".
   */
  statesAt(logTime: string): Record<string, string[]>;
  fold: GameFold;
}

export interface Outcome {
  games: GameOutcome[];
  refusals: Refusal[];
  duplicates: number;
}

interface UsedKey {
  source: string;
  key: string;
  at: bigint;
  body: string;
  accepted: number;
}

/** Folds pushes from an empty service. A tick applies to every game. */
export function runPushes(pushes: readonly Push[], teams: Team[]): Outcome {
  const catalog = emptyCatalog(teams);
  const folds: { game: Game; fold: GameFold }[] = [];
  const usedKeys: UsedKey[] = [];
  const refusals: Refusal[] = [];
  let duplicates = 0;

  function foldOf(game: Game): GameFold {
    let found = folds.find((entry) => entry.game === game);
    if (found === undefined) {
      found = { game, fold: newGame(game.firstSource) };
      folds.push(found);
    }
    return found.fold;
  }

  for (const [position, push] of pushes.entries()) {
    const at = readTime(push.at)!;
    if (push.format === 'tick') {
      for (const { fold } of folds) applyTick(fold, at);
      continue;
    }
    const mayBackfill = push.scopes.includes('backfill');
    if (push.timed === 'source' && !mayBackfill) {
      refusals.push([push.step, null, 403]);
      continue;
    }
    const used = usedKeys.find(
      (other) => other.source === push.source && other.key === push.idempotencyKey && at - other.at < 24n * hour,
    );
    if (used !== undefined) {
      // "With the same body answers the first receipt with all as `duplicates`; with another body, `idempotency-conflict`."
      if (used.body === push.body) duplicates += used.accepted;
      else refusals.push([push.step, null, 'idempotency-conflict']);
      continue;
    }

    const timing: Timing = { receivedAt: at, header: push.timed === 'source' ? at : undefined, mayBackfill };
    // Every game of the push is resolved before any of its records is folded. In order, each event sees the games of
    // the events before it, and knows that others follow.
    const body = readJson(push.body);
    const first = [...readElements(push, body, timing, () => true)];
    const references = first
      .map(([, element]) => element)
      .filter((element) => element.refused === undefined)
      .map((element) => element.game!);
    const elements: ReadElement[] = [];
    const resolved: (Game | undefined)[] = [];
    const isKnown = (gameId: string): boolean => findById(catalog, gameId) !== undefined;
    // Only a native event may name a game by its id, which an earlier event of the push may have made known.
    const again = push.format === 'quotes' ? readElements(push, body, timing, isKnown) : first;
    for (const [index, element] of again) {
      let refused = element.refused;
      let game: Game | undefined;
      if (refused === undefined) {
        const answer = resolveGame(catalog, push.source, element.game!, references);
        if (answer === 'game-conflict') refused = answer;
        else game = answer;
      }
      elements.push(element);
      resolved.push(game);
      if (refused !== undefined) refusals.push([push.step, index, refused]);
      else for (const code of element.codes) refusals.push([push.step, index, code]);
    }
    if (push.idempotencyKey !== undefined) {
      const accepted = resolved.filter((game) => game !== undefined).length;
      usedKeys.push({ source: push.source, key: push.idempotencyKey, at, body: push.body, accepted });
    }

    for (const [index, element] of elements.entries()) {
      const game = resolved[index];
      if (game === undefined) continue;
      const folded = applyObservation(foldOf(game), {
        observation: element.observation!,
        source: push.source,
        push: String(position),
        index,
        gameId: idOf(game),
        keyedId:
          push.idempotencyKey === undefined
            ? undefined
            : JSON.stringify(['key', push.source, push.idempotencyKey, index, element.sha256]),
        sha256: element.sha256,
        receivedAt: at,
        sourceTime: element.sourceTime,
        start: element.game!.start,
        rank: undefined,
      });
      if (folded.verdict === 'duplicate') duplicates += 1;
      for (const code of folded.codes) refusals.push([push.step, index, code]);
    }
    // "Current (moved by applied records only)".
    for (const { game, fold } of folds) game.currentStart = gameStart(fold) ?? game.firstStart;
  }

  return { games: folds.map(({ game, fold }) => outcomeOf(game, fold)), refusals, duplicates };
}

/** The elements of a body with their places, read one at a time on request. */
function* readElements(
  push: Push,
  body: Json,
  timing: Timing,
  isKnown: (gameId: string) => boolean,
): Generator<[number, ReadElement]> {
  if (push.format === 'the-odds-api-v4') {
    const wrapped = body.kind === 'object';
    const elements = wrapped ? (member(body, 'data')?.items ?? []) : body.items;
    const wrapperTime = wrapped ? member(body, 'timestamp') : undefined;
    for (const [index, element] of elements.entries()) {
      yield [index, readOddsApi(element, push.body, push.query, timing, wrapperTime)];
    }
    return;
  }
  const events = member(body, 'events')?.items ?? [];
  for (const [index, event] of events.entries()) yield [index, readNative(event, push.body, timing, isKnown)];
}

function outcomeOf(game: Game, fold: GameFold): GameOutcome {
  const boards = fold.logTime === undefined ? [] : boardsAt(fold, fold.logTime);
  return {
    league: game.league,
    id: idOf(game),
    uuid: game.uuid,
    rows: fold.rows,
    segments: cutSegments(fold.rows),
    boards: Object.fromEntries(
      boards.map((board) => [board.operator, board.entries.map((entry) => [entry.selectionId, entry.missing])]),
    ),
    watermarks: Object.fromEntries(boards.map((board) => [board.operator, writeTime(board.watermark!)])),
    statesAt: (logTime) =>
      Object.fromEntries(
        boardsAt(fold, readTime(logTime)!).map((board) => [board.operator, board.entries.map((entry) => entry.state)]),
      ),
    fold,
  };
}

/** A row as the vectors have it: operator, selection_id, market, … , source_timestamp, source. */
export function rowAsArray(row: Row): (string | number | boolean | null)[] {
  return [
    row.operator,
    row.selectionId,
    row.market,
    row.period,
    row.selection,
    row.playerId,
    row.line,
    row.priceAmerican,
    row.priceDecimal,
    row.priceSourceFormat,
    row.isOpen,
    row.change,
    row.inPlay,
    writeTime(row.timestamp),
    row.sourceTimestamp === null ? null : writeTime(row.sourceTimestamp),
    row.source,
  ];
}
