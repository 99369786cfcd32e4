import { closingLines } from './closing-lines.ts';
import type { Dataset } from './column.ts';
import { gameState } from './game-state.ts';
import { gameStateTimeline } from './game-state-timeline.ts';
import { injuries } from './injuries.ts';
import { marketResults } from './market-results.ts';
import { playerStats } from './player-stats.ts';
import { plays } from './plays.ts';
import { sportsbookLines } from './sportsbook-lines.ts';
import { teamStats } from './team-stats.ts';

/** The datasets of `GET /v1/datasets`, by name. */
export const datasets = [
  closingLines,
  gameState,
  gameStateTimeline,
  injuries,
  marketResults,
  playerStats,
  plays,
  sportsbookLines,
  teamStats,
] as const;

/** The datasets of which each settled game has a file. */
export const perGameNames: readonly DatasetName[] = datasets
  .filter(({ kind }) => kind === 'per_game')
  .map(({ name }) => name);

export type DatasetName = (typeof datasets)[number]['name'];

/** Media type of every file of every dataset (docs/interface.md#what-the-service-does). */
export const parquetMediaType = 'application/vnd.apache.parquet';

/** The dataset of this name. */
export function datasetNamed(name: DatasetName): Dataset {
  const found = datasets.find((dataset) => dataset.name === name);
  if (found === undefined) throw new Error(`no dataset ${name}`);
  return found;
}
