// A game's final files as a settlement publishes them: real Parquet of the columns of schemas/datasets, put under
// write-once keys, then landed by the catalog's own function.
import { createHash } from 'node:crypto';
import { finalMetadata } from '../../../core/parquet/file-metadata.ts';
import type { ArtifactsCatalog, LandedArtifact } from '../../../core/ports/catalog/artifacts.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import { gameStateTimeline } from '../../../schemas/datasets/game-state-timeline.ts';
import { marketResults } from '../../../schemas/datasets/market-results.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { closingRows, type FinalGame, lineRows, resultRows, timelineRows } from './final-rows.ts';

export type FinalFile = { dataset: string; rows: readonly ParquetRow[]; bytes: Buffer; landed: LandedArtifact };
export type Finals = { [Dataset in (typeof finalDatasets)[number]]: FinalFile };

/** The datasets of which each settled game has one file. */
export const finalDatasets = ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines'] as const;

const definitions = [closingLines, gameStateTimeline, marketResults, sportsbookLines];

/**
 * Puts the files of all four datasets without landing them. `lines`: the rows of the log (by default some rows made
 * here).
 */
export async function putFinals(
  objects: Pick<ObjectStore, 'put'>,
  game: FinalGame,
  lines: readonly ParquetRow[] = lineRows(game, 24),
): Promise<Finals> {
  const put = (dataset: string, rows: readonly ParquetRow[]) => putFinal(objects, game, dataset, rows);
  return {
    'closing-lines': await put('closing-lines', closingRows(game)),
    'game-state-timeline': await put('game-state-timeline', timelineRows(game)),
    'market-results': await put('market-results', resultRows(game)),
    'sportsbook-lines': await put('sportsbook-lines', lines),
  };
}

/** Puts the file of one dataset. */
export async function putFinal(
  objects: Pick<ObjectStore, 'put'>,
  game: FinalGame,
  dataset: string,
  rows: readonly ParquetRow[],
): Promise<FinalFile> {
  const definition = definitions.find(({ name }) => name === dataset);
  if (definition === undefined) throw new Error(`${dataset} has no final file`);
  const metadata = finalMetadata(definition, game.gameId);
  const bytes = Buffer.from(parquetWriter.encode(dataset, rows, metadata));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `finals/${game.uuid}/${dataset}/${rows.length}-${sha256.slice(0, 16)}.parquet` as ObjectKey;
  await objects.put(key, bytes);
  const file = { key, offset: 0, size: bytes.length, sha256 };
  const landed = { dataset, version: 1, rows: rows.length, file, reason: 'settled' };
  return { dataset, rows, bytes, landed };
}

/** Puts the files of all four datasets, or of those named, and lands them together. */
export async function landFinals(
  to: { objects: Pick<ObjectStore, 'put'>; artifacts: Pick<ArtifactsCatalog, 'land'> },
  game: FinalGame,
  options: { lines?: readonly ParquetRow[]; datasets?: readonly string[] } = {},
): Promise<Finals> {
  const finals = await putFinals(to.objects, game, options.lines);
  const datasets = options.datasets ?? finalDatasets;
  const landed = Object.values(finals).filter(({ dataset }) => datasets.includes(dataset));
  await to.artifacts.land(
    game.uuid,
    landed.map((file) => file.landed),
  );
  return finals;
}

/** Puts a further version of a dataset and lands it. */
export async function landVersion(
  to: { objects: Pick<ObjectStore, 'put'>; artifacts: Pick<ArtifactsCatalog, 'land'> },
  game: FinalGame,
  facts: { dataset: string; version: number; rows: readonly ParquetRow[]; reason?: string },
): Promise<FinalFile> {
  const made = await putFinal(to.objects, game, facts.dataset, facts.rows);
  const reason = facts.reason ?? `player-stats/01K1ZJ2M5Q8W3N7T4R6Y9B0C1D/${facts.version}`;
  const landed = { ...made.landed, version: facts.version, reason };
  await to.artifacts.land(game.uuid, [landed]);
  return { ...made, landed };
}

/** The rows of a log, in log order: the content of its final sportsbook lines (docs/settlement.md#sportsbook-lines). */
export async function rowsOfLog(objects: Pick<ObjectStore, 'get'>, log: ServedLog): Promise<ParquetRow[]> {
  const closed = log.closed.map(({ key, size }) => ({ key, offset: 0, size }));
  const rows: ParquetRow[] = [];
  for (const { key, offset, size } of log.tail === null ? closed : [...closed, log.tail.file]) {
    const bytes = await objects.get(key, { offset, length: size });
    if (bytes === null) throw new Error(`no object ${key}`);
    rows.push(...parquetWriter.decode(sportsbookLines.name, bytes));
  }
  return rows;
}
