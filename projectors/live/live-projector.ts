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
import { noLiveChanges } from './changes.ts';
import { FoldDigest } from './fold-digest.ts';
import { foldRecord, type LiveGames } from './fold-record.ts';
import { planGame, publicationOf } from './game-plan.ts';
import { countByObject, type PublishedGame, publishedGames } from './published.ts';

/** What the projector asks of the catalog. */
export type LiveProjectorCatalog = Pick<LiveCatalog, 'publishedIn' | 'commit'>;

type SavedPartition = { version: 1; games: unknown[] };

/** The live projector on a catalog. */
export function liveProjector(catalog: LiveProjectorCatalog): ProjectorKind {
  return {
    name: 'live',
    topic: topics.quotes,
    open: (partition, saved) => new LiveProjector(catalog, partition, loadGames(saved as SavedPartition | null)),
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

  constructor(catalog: LiveProjectorCatalog, partition: number, games: Map<string, GameState>) {
    this.#catalog = catalog;
    this.#digest = new FoldDigest(games.values());
    this.#live = { partition, games, touched: this.#digest.touched };
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
        const commit: LiveCommit = { ...fence, released, games, deadLetters, receipts: receiptFolds(changes) };
        return this.#catalog.commit(commit);
      },
      committed: () => {
        for (const game of games ?? []) this.#published.set(game.gameUuid, remembered(game));
      },
    };
  }

  save(): SavedPartition {
    return { version: 1, games: [...this.#live.games.values()].map(saveGame) };
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
