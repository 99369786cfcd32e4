// Builds the final files of one game from its closed log, its orders and its evidence: a pure function of these, so that every worker makes the
// same bytes (docs/settlement.md). What would equal the newest version is left out, and nothing is built of no rows.
import { isLeague } from '../../core/league-code.ts';
import { finalMetadata } from '../../core/parquet/file-metadata.ts';
import type { Artifact } from '../../core/ports/catalog/artifacts.ts';
import type { ServedStream } from '../../core/ports/catalog/msf.ts';
import type { SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import type { ClosingLines } from '../../core/settlement/closing-lines.ts';
import { type Naming, nextMarketResults, withoutVanished } from '../../core/settlement/corrections.ts';
import { allowsGrading } from '../../core/settlement/evidence.ts';
import type { FinalDataset } from '../../core/settlement/final-datasets.ts';
import { startOfPlay } from '../../core/settlement/game-lifecycle.ts';
import { RemovedPlayers } from '../../core/settlement/removed-players.ts';
import { selectionOf } from '../../core/settlement/selections.ts';
import { Timeline } from '../../core/settlement/timeline.ts';
import { mayDiffer, reasonOf } from '../../core/settlement/version-reasons.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import { type GameStateTimelineRow, gameStateTimeline } from '../../schemas/datasets/game-state-timeline.ts';
import { type MarketResultsRow, marketResults } from '../../schemas/datasets/market-results.ts';
import { datasetNamed } from '../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { committedFile } from './committed-file.ts';
import { gameStateRevisions } from './game-state-revisions.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { type ClosedLogContents, readClosedLog } from './read-closed-log.ts';
import { sameFiles, sameRows } from './same-rows.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

export type BuiltFinal = { dataset: FinalDataset; version: number; rows: number; bytes: Uint8Array; reason: string };

/** What a build reads from. */
export type FinalsTools = Pick<SettlementTools, 'artifacts' | 'live' | 'msf' | 'history' | 'objects' | 'parquet'> & {
  settlements: Pick<SettlementTools['settlements'], 'players'>;
};

type Game = { gameId: string; league: League };

/**
 * The versions that are to land. `pause` gives everything else of the process its turn. `naming` as landed: what would land on the reference
 * data of before. @throws InputDamaged
 */
export async function buildFinals(
  tools: FinalsTools,
  inputs: SettlementInputs,
  pause: () => Promise<void>,
  naming: Naming = 'by reference',
): Promise<BuiltFinal[]> {
  const build = new Build(tools, inputs, pause, naming);
  return build.all();
}

class Build {
  readonly #tools: FinalsTools;
  readonly #inputs: SettlementInputs;
  readonly #pause: () => Promise<void>;
  readonly #naming: Naming;
  readonly #game: Game;
  readonly #finals: BuiltFinal[] = [];
  #newest: ReadonlyMap<string, Artifact> = new Map();

  constructor(tools: FinalsTools, inputs: SettlementInputs, pause: () => Promise<void>, naming: Naming) {
    this.#tools = tools;
    this.#inputs = inputs;
    this.#pause = pause;
    this.#naming = naming;
    const { gameUuid, gameId, league } = inputs.closed;
    // A game of a release before settlement that never had a row closes without either: the catalog knows them.
    this.#game = {
      gameId: gameId === '' ? inputs.gameId : gameId,
      league: leagueOf(gameUuid, league === '' ? inputs.league : league),
    };
  }

  async all(): Promise<BuiltFinal[]> {
    const { artifacts, msf } = this.#tools;
    const { gameUuid } = this.#inputs.closed;
    const served = await artifacts.served(gameUuid);
    this.#newest = new Map(served.artifacts.map((artifact) => [artifact.dataset, artifact]));
    const gameState = await msf.stream({ scopeUuid: gameUuid, dataset: 'game-state' });
    if (this.#inputs.closed.rows > 0) await this.#addFromLog(gameState);
    if (gameState !== null && this.#mayDiffer(gameStateTimeline.name)) await this.#addTimeline(gameState);
    return this.#finals;
  }

  async #addTimeline(gameState: ServedStream): Promise<void> {
    const known = await this.#knownStates(gameState.epoch);
    const timeline = new Timeline(this.#game, known);
    for await (const revision of gameStateRevisions(this.#tools, gameState, known.at(-1)?.revision ?? 0)) {
      timeline.add(revision);
      await this.#pause();
    }
    await this.#add(gameStateTimeline.name, timeline.rows);
  }

  /** States of the epoch that need not be found again: revisions stay as they are. After an order, or with another column, all are found. */
  async #knownStates(epoch: string): Promise<readonly GameStateTimelineRow[]> {
    const { built, standing } = this.#inputs;
    if (built?.orders !== standing.orders) return [];
    const rows = ((await this.#newestRows(gameStateTimeline.name)) ?? []) as readonly GameStateTimelineRow[];
    const last = rows.at(-1);
    const isWhole = last !== undefined && gameStateTimeline.columns.every(({ name }) => name in last);
    return isWhole && last.stream_epoch === epoch ? rows : [];
  }

  /**
   * What is made of the rows of the log. New evidence of a result alone is graded without them: the newest version names the selections —
   * unless rows were removed, which may have taken some of its selections with them.
   */
  async #addFromLog(gameState: ServedStream | null): Promise<void> {
    const evidence = this.#mayDiffer(marketResults.name)
      ? await gatherEvidence(this.#tools, this.#inputs, gameState)
      : null;
    const hasResult = evidence !== null && allowsGrading(evidence);
    const hasRemoved = evidence !== null && this.#inputs.removed.length > 0;
    const before =
      hasResult || hasRemoved
        ? ((await this.#newestRows(marketResults.name)) as readonly MarketResultsRow[] | null)
        : null;
    let selections = before?.map(selectionOf) ?? [];
    let removedPlayers = new RemovedPlayers();
    const needsLog = before === null ? hasResult : hasRemoved;
    if (this.#mayDiffer('closing-lines') || this.#mayDiffer(sportsbookLines.name) || needsLog) {
      const log = await this.#readLog();
      if (log.closingLines !== null) await this.#add('closing-lines', this.#closingRows(log.closingLines));
      selections = log.selections.list();
      removedPlayers = log.removedPlayers;
    }
    const results = hasResult
      ? nextMarketResults(before, this.#game, selections, evidence, removedPlayers, this.#naming)
      : withoutVanished(before, selections);
    if (results !== null && results.length > 0) this.#push(marketResults.name, results);
  }

  /** One pass over the log: its rows go into the file of lines, where there is to be one, and into what the other datasets are made of. */
  async #readLog(): Promise<Omit<ClosedLogContents, 'rows'>> {
    const metadata = finalMetadata(sportsbookLines, this.#game.gameId);
    const file = this.#mayDiffer(sportsbookLines.name)
      ? this.#tools.parquet.openFile(sportsbookLines.name, metadata)
      : null;
    const { rows, ...contents } = await readClosedLog(this.#tools, this.#inputs, async ({ lines }) => {
      file?.add(lines);
      await this.#pause();
    });
    if (file !== null && rows > 0) await this.#addFile(sportsbookLines.name, rows, file.finish());
    return contents;
  }

  #closingRows(closingLines: ClosingLines): readonly ParquetRow[] {
    const { closed, lineups } = this.#inputs;
    const start = closed.course.starts.at(-1)?.start ?? startOfPlay(closed.course)?.t0 ?? 0;
    return closingLines.rows({ ...this.#game, gameDate: easternDate(start), lineups });
  }

  #mayDiffer(dataset: FinalDataset): boolean {
    return !this.#newest.has(dataset) || mayDiffer(dataset, this.#inputs.built, this.#inputs.standing);
  }

  /** Adds rows that differ from the newest version's. */
  async #add(dataset: FinalDataset, rows: readonly ParquetRow[]): Promise<void> {
    if (rows.length === 0) return;
    const before = await this.#newestRows(dataset);
    if (before === null || !sameRows(before, rows)) this.#push(dataset, rows);
  }

  /** Adds a file that says something else than the newest version. */
  async #addFile(dataset: FinalDataset, rows: number, bytes: Uint8Array): Promise<void> {
    const newest = this.#newest.get(dataset);
    const { objects, parquet } = this.#tools;
    if (newest !== undefined && sameFiles(parquet, bytes, await committedFile(objects, newest.file))) return;
    this.#place(dataset, rows, bytes);
  }

  #push(dataset: FinalDataset, rows: readonly ParquetRow[]): void {
    const metadata = finalMetadata(datasetNamed(dataset), this.#game.gameId);
    const bytes = this.#tools.parquet.encode(dataset, rows, metadata);
    this.#place(dataset, rows.length, bytes);
  }

  #place(dataset: FinalDataset, rows: number, bytes: Uint8Array): void {
    const { built, standing } = this.#inputs;
    const version = (this.#newest.get(dataset)?.version ?? 0) + 1;
    this.#finals.push({ dataset, version, rows, bytes, reason: reasonOf(dataset, built, standing) });
  }

  async #newestRows(dataset: FinalDataset): Promise<readonly ParquetRow[] | null> {
    const newest = this.#newest.get(dataset);
    if (newest === undefined) return null;
    return this.#tools.parquet.decodeOwnColumns(await committedFile(this.#tools.objects, newest.file)).rows;
  }
}

/** The fold takes records of leagues alone. */
function leagueOf(gameUuid: string, league: string): League {
  if (isLeague(league)) return league;
  throw new InputDamaged(`game ${gameUuid} was closed in no league`);
}
