// From records of `sds.quotes.v1` to segments and boards: what a flush makes of the games that records have changed — which rows go into which
// file, which boards are written again, what the catalog is told. Unaware of Parquet, stores and the clock.
import type { GameState } from '../../core/live/game-state.ts';
import { loadGame, saveGame } from '../../core/live/saved-game.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { GamePublication, LiveCatalog, LiveCommit } from '../../core/ports/catalog/live.ts';
import type { WrittenFile } from '../../core/ports/parquet.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Flush, Projector, ProjectorKind, TakeOver } from '../worker/projector.ts';
import { receiptFolds } from '../worker/receipts.ts';
import { type LiveChanges, noLiveChanges } from './changes.ts';
import { FoldDigest } from './fold-digest.ts';
import { foldRecord, type LiveGames } from './fold-record.ts';
import { planGame, publicationOf } from './game-plan.ts';
import { countByObject, type PublishedGame, publishedGames } from './published.ts';

/** What the projector asks of the catalog. */
export type LiveProjectorCatalog = Pick<LiveCatalog, 'publishedIn' | 'commit'>;

/** Releases before settlement saved version 1, without closed games. */
type SavedPartition = { version: 1 | 2; games: unknown[]; closed?: string[] };

/** The live projector on a catalog. */
export function liveProjector(catalog: LiveProjectorCatalog): ProjectorKind {
  return {
    name: 'live',
    topic: topics.quotes,
    open(partition, saved) {
      const known = saved as SavedPartition | null;
      const games = loadGames(known);
      const closed = new Set(known?.closed);
      for (const game of [...games.values()].filter((each) => each.closed)) {
        games.delete(game.uuid);
        closed.add(game.uuid);
      }
      return new LiveProjector(catalog, partition, games, closed);
    },
  };
}

/** The games of a snapshot. */
export function loadGames(saved: SavedPartition | null): Map<string, GameState> {
  return new Map((saved?.games ?? []).map(loadGame).map((game) => [game.uuid, game]));
}

export class LiveProjector implements Projector {
  readonly #catalog: LiveProjectorCatalog;
  readonly #live: LiveGames;
  readonly #digest: FoldDigest;
  #published = new Map<string, PublishedGame>();
  #changes = noLiveChanges();

  constructor(
    catalog: LiveProjectorCatalog,
    partition: number,
    games: Map<string, GameState>,
    closed: Set<string> = new Set(),
  ) {
    this.#catalog = catalog;
    this.#digest = new FoldDigest(games.values(), closed);
    this.#live = { partition, games, closed, touched: this.#digest.touched };
  }

  async readPublished(): Promise<TakeOver> {
    const logs = await this.#catalog.publishedIn(this.#live.partition);
    return () => {
      this.#published = publishedGames(logs);
    };
  }

  refold(records: readonly DeliveredRecord[]): void {
    const changes = noLiveChanges();
    for (const record of records) foldRecord(this.#live, changes, record);
    this.#forgetClosed(changes);
  }

  fold(records: readonly DeliveredRecord[]): void {
    for (const record of records) foldRecord(this.#live, this.#changes, record);
  }

  get weight(): number {
    return this.#changes.letterBytes;
  }

  flush(): Flush {
    const changes = this.#changes;
    this.#changes = noLiveChanges();
    const plans = [...changes.games].flatMap(([uuid, changed]) => {
      const game = this.#live.games.get(uuid);
      return game === undefined ? [] : [planGame(game, changed, this.#published.get(uuid) ?? null)];
    });
    const supersedes = countByObject(plans.flatMap((plan) => plan.supersedes));
    let games: readonly GamePublication[] | null = null;
    const publish = (written: ReadonlyMap<string, WrittenFile>): readonly GamePublication[] =>
      plans.map((plan) => publicationOf(plan, this.#published.get(plan.uuid) ?? null, written));
    return {
      files: plans.flatMap((plan) => plan.files),
      commit: (fence, written) => {
        games ??= publish(written);
        const { deadLetters } = changes;
        const released = [...fence.released, ...supersedes];
        const settlements = [...changes.settlements.values()];
        const receipts = receiptFolds(changes);
        const commit: LiveCommit = { ...fence, released, games, settlements, deadLetters, receipts };
        return this.#catalog.commit(commit);
      },
      committed: () => {
        for (const game of games ?? []) this.#published.set(game.gameUuid, remembered(game));
        this.#forgetClosed(changes);
      },
    };
  }

  /** A game that is closed leaves memory once all of it is published. */
  #forgetClosed({ settlements }: LiveChanges): void {
    for (const { gameUuid, closed } of settlements.values()) {
      if (closed === null) continue;
      this.#live.games.delete(gameUuid);
      this.#live.closed.add(gameUuid);
      this.#published.delete(gameUuid);
    }
  }

  save(): SavedPartition {
    return { version: 2, games: [...this.#live.games.values()].map(saveGame), closed: [...this.#live.closed] };
  }

  digest(): string {
    return this.#digest.now();
  }
}

function remembered(game: GamePublication): PublishedGame {
  return {
    generation: game.generation,
    tail: game.tail,
    boards: new Map(game.boards.map((board) => [board.operator, board])),
  };
}
