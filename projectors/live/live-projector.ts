// From records of `sds.quotes.v1` to segments and boards: what a flush makes of the games that records have changed — which rows go into which
// file, which boards are written again, what the commit says. Independent of Parquet, stores and the clock.
import type { GameState } from '../../core/live/game-state.ts';
import { liveLogVersion } from '../../core/live/log-version.ts';
import { loadGame, savingGame } from '../../core/live/saved-game.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { GamePublication, LiveCatalog, LiveCommit, PublishedBoard } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { WrittenFile } from '../../core/ports/parquet.ts';
import { recordRefusal } from '../../core/quotes/normalise-observation.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { KeptLog } from '../worker/kept-log.ts';
import type { Flush, Found, Projector, ProjectorKind, TakeOver } from '../worker/projector.ts';
import { receiptFolds } from '../worker/receipts.ts';
import type { CommittedFiles } from '../worker/start-over.ts';
import { placeOf } from '../worker/write-files.ts';
import { type GameChanges, type LiveChanges, noLiveChanges } from './changes.ts';
import { FoldDigest } from './fold-digest.ts';
import { foldingRecord, isRebuild, type LiveGames, noteWaiting } from './fold-record.ts';
import { type GamePlan, planningGame, publicationOf } from './game-plan.ts';
import { countByObject, type PublishedGame, publishedGames } from './published.ts';
import { rebuildGame } from './rebuild-game.ts';
import { startGameOver } from './start-game-over.ts';

/** What the projector asks of the catalog. */
export type LiveProjectorCatalog = Pick<
  LiveCatalog,
  'publishedIn' | 'closedIn' | 'knownSince' | 'servedLog' | 'commit'
>;

/** Releases before settlement saved version 1, without closed games. */
type SavedPartition = { version: 1 | 2; games: unknown[]; closed?: string[] };

/** What a row that waits for a flush may cost beside what is folded: rows of logs that are started over. */
const bytesOfRow = 200;

/** The live projector on a catalog. `logVersion`: of this release. */
export function liveProjector(catalog: LiveProjectorCatalog, logVersion = liveLogVersion): ProjectorKind {
  return {
    name: 'live',
    topic: topics.quotes,
    logVersion,
    open(partition, saved) {
      const known = saved as SavedPartition | null;
      const games = loadGames(known);
      const closed = new Set(known?.closed);
      for (const game of [...games.values()].filter((each) => each.closed)) {
        games.delete(game.uuid);
        closed.add(game.uuid);
      }
      return new LiveProjector(catalog, partition, games, closed, logVersion);
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
  readonly #logVersion: string;
  #published = new Map<string, PublishedGame>();
  #changes = noLiveChanges();
  /** Games that records which are committed already have closed. */
  readonly #refolded: Pick<LiveChanges, 'settlements'> = noLiveChanges();
  /** Rows of logs that were started over. */
  #waitingRows = 0;
  #found: Found = 'same';

  constructor(
    catalog: LiveProjectorCatalog,
    partition: number,
    games: Map<string, GameState>,
    closed: Set<string> = new Set(),
    logVersion = liveLogVersion,
  ) {
    this.#catalog = catalog;
    this.#logVersion = logVersion;
    this.#digest = new FoldDigest(games.values(), closed);
    this.#live = { partition, games, closed, touched: this.#digest.touched };
  }

  async readPublished(found: Found): Promise<TakeOver> {
    const logs = await this.#catalog.publishedIn(this.#live.partition);
    const isOlder = found === 'older-state';
    const closed = isOlder ? await this.#catalog.closedIn(this.#live.partition) : [];
    return () => {
      this.#found = found;
      // An older state does not show whether a log has started over since: each takes its place from its committed rows.
      this.#published = publishedGames(isOlder ? logs.map((log) => ({ ...log, logVersion: null })) : logs);
      for (const uuid of closed) this.#close(uuid);
      // By the rules of another version the close of a game need not be committed.
      if (found !== 'other-version' && !isOlder) this.#forgetClosed(this.#refolded);
    };
  }

  /** The close of a game is committed: nothing more of it is folded, whatever its state. */
  #close(uuid: string): void {
    const game = this.#live.games.get(uuid);
    if (game !== undefined) this.#live.touched.delete(game);
    this.#live.games.delete(uuid);
    this.#live.closed.add(uuid);
    this.#digest.close(uuid);
  }

  async *startOver(files: CommittedFiles): AsyncGenerator<void> {
    const games = [...this.#live.games.values()];
    const due = games.filter((game) => this.#mustStartOver(game));
    if (due.length === 0 && this.#found === 'same') return;
    for (const game of games) if (!this.#mustStartOver(game)) noteWaiting(this.#changes, game);
    if (due.length === 0 && this.#changes.settlements.size > 0) yield;
    // A snapshot keeps no more of a game that is closed than that: those which refolded records have closed are all in the first flush.
    due.sort((a, b) => Number(b.closed) - Number(a.closed));
    for (const [index, game] of due.entries()) {
      await this.#startGameOver(game, files);
      if (due[index + 1]?.closed !== true) yield;
    }
  }

  /**
   * Another version made the log, or it was started over since the state was saved: an owner before began to start all logs over from an older
   * state, and ended before it came to this one.
   */
  #mustStartOver({ uuid, generation }: GameState): boolean {
    const published = this.#published.get(uuid);
    if (published === undefined) return false;
    return published.logVersion !== this.#logVersion || published.generation !== generation;
  }

  async #startGameOver(game: GameState, files: CommittedFiles): Promise<void> {
    const { uuid } = game;
    const log = await files.ask(() => this.#catalog.servedLog(uuid));
    if (log === null) throw new Error(`the log of ${uuid} is published, and is not there`);
    this.#publishAnew(game, await startGameOver(game, log, files));
  }

  /** The next flush publishes the log in the place of the one before. */
  #publishAnew(game: GameState, changed: GameChanges): void {
    const { uuid, generation } = game;
    this.#published.set(uuid, { generation, logVersion: this.#logVersion, tail: null, boards: new Map() });
    this.#live.touched.add(game);
    this.#changes.games.set(uuid, changed);
    this.#waitingRows += changed.pieces.reduce((sum, { rows }) => sum + rows.length, 0);
    noteWaiting(this.#changes, game);
  }

  ordersRebuild({ key, value, undecodable, belongsIn }: DeliveredRecord): boolean {
    if (undecodable !== null || belongsIn !== undefined) return false;
    const record = value as QuotesRecord;
    return isRebuild(record) && recordRefusal(key, record) === null;
  }

  async rebuild({ value }: DeliveredRecord, log: KeptLog, files: CommittedFiles | null): Promise<string | null> {
    const { game_uuid: uuid, rebuild } = value as QuotesRecord;
    const [live, catalog] = [this.#live, this.#catalog];
    const before = live.games.get(uuid);
    if (before === undefined || before.appliedThrough === null) return `game ${uuid} has no live log`;
    if (rebuild?.generation !== before.generation + 1)
      return `the log of ${uuid} is not the one that was to be rebuilt`;
    const records = await log.since(await log.ask(() => catalog.knownSince(uuid)));
    if (records === null) return `the log may have lost records of game ${uuid}`;
    const served = files === null ? null : await log.ask(() => catalog.servedLog(uuid));
    const tools = { partition: live.partition, runTask: log.runTask, files };
    const { game, changes } = await rebuildGame(tools, before, records, served);
    live.games.set(uuid, game);
    // The state before is no game any more: with it the digest would say what the close of the new one has ended.
    live.touched.delete(before);
    live.touched.add(game);
    if (files !== null) this.#publishAnew(game, changes);
    else if (game.closed) noteWaiting(this.#refolded, game);
    return null;
  }

  *refolding(records: readonly DeliveredRecord[]): Task<void> {
    const changes = { ...noLiveChanges(), settlements: this.#refolded.settlements };
    for (const record of records) yield* foldingRecord(this.#live, changes, record);
  }

  *folding(records: readonly DeliveredRecord[]): Task<void> {
    for (const record of records) yield* foldingRecord(this.#live, this.#changes, record);
  }

  get weight(): number {
    return this.#changes.deadLetterBytes + this.#waitingRows * bytesOfRow;
  }

  *planning(): Task<Flush> {
    const changes = this.#changes;
    this.#changes = noLiveChanges();
    this.#waitingRows = 0;
    const plans: GamePlan[] = [];
    for (const [uuid, changed] of changes.games) {
      const game = this.#live.games.get(uuid);
      if (game !== undefined) plans.push(yield* planningGame(game, changed, this.#published.get(uuid) ?? null));
    }
    const supersedes = countByObject(plans.flatMap((plan) => plan.supersedes));
    let games: readonly GamePublication[] | null = null;
    const publish = (written: ReadonlyMap<string, WrittenFile>): readonly GamePublication[] =>
      plans.map((plan) => publicationOf(plan, this.#published.get(plan.uuid) ?? null, written, this.#logVersion));
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
        const left = (games ?? []).map((game) => this.#remember(game));
        return [...left, ...this.#forgetClosed(changes)].filter((file) => file !== null);
      },
    };
  }

  /** Returns the file of the tail that it had before; null if it has it still. */
  #remember({ gameUuid, generation, logVersion, tail, boards }: GamePublication): FileRef | null {
    const before = this.#published.get(gameUuid);
    const known = before?.boards ?? new Map<string, PublishedBoard>();
    for (const board of boards) known.set(board.operator, board);
    this.#published.set(gameUuid, { generation, logVersion, tail, boards: known });
    const file = before?.tail?.file ?? null;
    const isTailStill = file !== null && tail !== null && placeOf(file) === placeOf(tail.file);
    return isTailStill ? null : file;
  }

  /** A game that is closed leaves memory once all of it is published. Returns the files of the tails that these games had. */
  #forgetClosed({ settlements }: Pick<LiveChanges, 'settlements'>): (FileRef | null)[] {
    const left: (FileRef | null)[] = [];
    for (const { gameUuid, closed } of settlements.values()) {
      if (closed === null) continue;
      left.push(this.#published.get(gameUuid)?.tail?.file ?? null);
      this.#live.games.delete(gameUuid);
      this.#live.closed.add(gameUuid);
      this.#published.delete(gameUuid);
    }
    return left;
  }

  *saving(): Task<SavedPartition> {
    const games: unknown[] = [];
    for (const game of this.#live.games.values()) games.push(yield* savingGame(game));
    return { version: 2, games, closed: [...this.#live.closed] };
  }

  digest(): string {
    return this.#digest.now();
  }
}
