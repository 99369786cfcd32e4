// From records of `sds.quotes.v1` to segments and boards. The rules are in core/live; here is only what a flush makes of their effects:
// which rows go into which file, which boards are written again, what the catalog is told. Unaware of Parquet, stores and the clock.
import { applyRecord } from '../../core/live/fold.ts';
import { type GameState, newGame } from '../../core/live/game-state.ts';
import { loadGame, saveGame } from '../../core/live/saved-game.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { GamePublication, LiveCommit, PublishedLog } from '../../core/ports/catalog/live.ts';
import { isSourceName } from '../../core/quotes/names.ts';
import { recordRefusal } from '../../core/quotes/normalise-observation.ts';
import type { RefusalCode } from '../../core/quotes/types.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Projector } from '../worker/projector.ts';
import { bury } from '../worker/record-letters.ts';
import { appendRows, changesOf, type LiveChanges, noLiveChanges, receiptFolds, receiptOf } from './changes.ts';
import { deadLettersOf } from './dead-letters.ts';
import { type FoldDigest, foldDigest, newFoldDigest } from './fold-digest.ts';
import { type GamePlan, planGame, publicationOf } from './game-plan.ts';
import { countByObject, type PublishedGame, publishedGames } from './published.ts';

export type LiveState = {
  partition: number;
  games: Map<string, GameState>;
  published: Map<string, PublishedGame>;
  digest: FoldDigest;
};

export type LivePlan = { files: GamePlan['files']; games: readonly GamePlan[]; changes: LiveChanges };

/** The part of a commit that the live projector fills in. */
export type LiveFacts = Pick<LiveCommit, 'games' | 'released' | 'deadLetters' | 'receipts'>;

type SavedPartition = { version: 1; games: unknown[] };

export const liveProjector: Projector<LiveState, LiveChanges, LivePlan, LiveFacts, readonly PublishedLog[]> = {
  name: 'live',
  topic: topics.quotes,
  noChanges: noLiveChanges,
  weight: ({ letterBytes }) => letterBytes,

  start(partition, saved) {
    const games = new Map<string, GameState>();
    for (const game of (saved as SavedPartition | null)?.games ?? []) {
      const loaded = loadGame(game);
      games.set(loaded.uuid, loaded);
    }
    return { partition, games, published: new Map(), digest: newFoldDigest(games.values()) };
  },

  adopt(state, published) {
    state.published = publishedGames(published);
  },

  fold(state, changes, records) {
    for (const record of records) foldRecord(state, changes, record);
  },

  plan(state, changes) {
    const games: GamePlan[] = [];
    for (const [uuid, changed] of changes.games) {
      const game = state.games.get(uuid);
      if (game !== undefined) games.push(planGame(game, changed, state.published.get(uuid) ?? null));
    }
    return { files: games.flatMap((game) => game.files), games, changes };
  },

  facts(state, plan, written) {
    return {
      games: plan.games.map((game) => publicationOf(game, state.published.get(game.uuid) ?? null, written)),
      released: countByObject(plan.games.flatMap((game) => game.supersedes)),
      deadLetters: plan.changes.deadLetters,
      receipts: receiptFolds(plan.changes),
    };
  },

  committed(state, facts) {
    for (const game of facts.games) state.published.set(game.gameUuid, remembered(game));
  },

  save(state): SavedPartition {
    return { version: 1, games: [...state.games.values()].map(saveGame) };
  },

  digest(state) {
    return foldDigest(state.digest);
  },
};

function remembered(game: GamePublication): PublishedGame {
  return {
    generation: game.generation,
    tail: game.tail,
    boards: new Map(game.boards.map((board) => [board.operator, board])),
  };
}

function foldRecord(state: LiveState, changes: LiveChanges, delivered: DeliveredRecord): void {
  if (delivered.undecodable !== null) {
    const refusal = { code: 'bad-record', pointer: '', detail: delivered.undecodable } as const;
    bury(changes, deadLettersOf(state.partition, delivered, null, [refusal]));
    return;
  }
  const record = delivered.value as QuotesRecord;
  const refusal = recordRefusal(delivered.key, record);
  if (refusal !== null) {
    bury(changes, deadLettersOf(state.partition, delivered, record, [refusal]));
    noteReceipt(changes, record, 'refused', [refusal], null);
    return;
  }
  let game = state.games.get(record.game_uuid);
  if (game === undefined) {
    if (record.tick !== null) return;
    game = newGame(record.game_uuid, { generation: 1, firstSeq: 1 });
    state.games.set(record.game_uuid, game);
  }
  state.digest.touched.add(game);
  const openSeq = game.segment?.seq ?? 0;
  const effects = applyRecord(game, record, {
    partition: state.partition,
    offset: delivered.offset,
    timestamp: delivered.timestamp,
  });
  const applied = effects.outcome?.state === 'applied';
  if (applied || effects.boardsChanged.length > 0) {
    const changed = changesOf(changes, record.game_uuid);
    appendRows(changed, openSeq, game.firstSeq, effects.rows, effects.segmentStarts);
    for (const operator of effects.boardsChanged) changed.boards.add(operator);
  }
  if (effects.outcome === null) return;
  const buried = effects.outcome.refusals.filter((refusal) => refusal.deadLetter);
  bury(changes, deadLettersOf(state.partition, delivered, record, buried));
  noteReceipt(changes, record, effects.outcome.state, effects.outcome.refusals, game);
}

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
    refusals: refusals.map((refusal) => ({ pointer: refusal.pointer, code: refusal.code })),
  });
}
