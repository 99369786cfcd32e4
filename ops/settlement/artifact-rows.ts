// The rows of a version of a game's dataset, in the JSON form of the schema documents: decimals and times as text. Version null means the
// live log, which only has rows of sportsbook lines.
import type { RowSpan } from '../../core/ports/catalog/settlement.ts';
import type { ParquetRow } from '../../core/ports/parquet.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { committedFile } from '../../projectors/settlement/committed-file.ts';
import { logRows } from '../../projectors/settlement/log-rows.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { CommandFailure, type Session } from '../session/command.ts';

const nothingRemoved: readonly RowSpan[] = [];

/** @throws CommandFailure when there is no such version */
export async function artifactRows(
  { catalogs, objects }: Session,
  game: { uuid: string; gameId: string },
  dataset: string,
  version: number | null,
): Promise<readonly ParquetRow[]> {
  const store = await objects();
  if (version !== null) {
    const artifact = await catalogs.artifacts.artifact(game.uuid, dataset, version);
    if (artifact === null) throw new CommandFailure('failed', `${game.gameId} has no version ${version} of ${dataset}`);
    return parquetWriter.decodeOwnColumns(await committedFile(store, artifact.file)).rows;
  }
  const log = dataset === sportsbookLines.name ? await catalogs.live.servedLog(game.uuid) : null;
  if (log === null) return [];
  const rows: ParquetRow[] = [];
  for await (const part of logRows({ objects: store, parquet: parquetWriter }, log, nothingRemoved))
    rows.push(...part.rows);
  return rows;
}
