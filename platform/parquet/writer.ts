// The ParquetWriter of the projectors: encoding, decoding, files by row groups, and the growing tail. Small groups are merged as they
// accumulate; core/parquet decides which. Their rows are read back from the tail itself, so no other state is needed.
import type { FileMetadata } from '../../core/parquet/footer.ts';
import { groupsToMerge } from '../../core/parquet/group-merge.ts';
import { append, openTail, replaceLast } from '../../core/parquet/tail.ts';
import type { ParquetRow, ParquetWriter } from '../../core/ports/parquet.ts';
import { runToEnd, type Task } from '../../core/scheduling/task.ts';
import { board } from '../../schemas/datasets/board.ts';
import { changeFileName, changeFileOf } from '../../schemas/datasets/change-file.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { datasets } from '../../schemas/datasets/registry.ts';
import { batchesOf, decodeOwnColumns, decodeParquet } from './decode.ts';
import { encodingParquet } from './encode.ts';
import { openFile } from './open-file.ts';
import { cutRows, sliceRows } from './slice.ts';
import { openStored } from './stored-file.ts';

/** By the name in file plans: a dataset's own name, or that of one of its other files. */
const known = new Map<string, Dataset>([
  ...datasets.map((dataset) => [dataset.name, dataset] as const),
  ...datasets
    .filter(({ kind }) => kind === 'revisioned')
    .map((dataset) => [changeFileName(dataset.name), changeFileOf(dataset)] as const),
  ['board', board],
]);

export const parquetWriter: ParquetWriter = {
  encode: (name, rows, metadata, like) => runToEnd(encoding(datasetOf(name), rows, metadata, like)),
  encoding: (name, rows, metadata, like) => encoding(datasetOf(name), rows, metadata, like),
  openFile: (name, metadata) => openFile(datasetOf(name), metadata),
  decode: (name, bytes) => decodeParquet(datasetOf(name), bytes) as readonly ParquetRow[],
  batches: (name, bytes) => batchesOf(name === null ? null : datasetOf(name), bytes),
  slice: (name, bytes, from, to) => sliceRows(datasetOf(name), bytes, from, to),
  cut: (name, bytes, from, to) => cutRows(datasetOf(name), bytes, from, to),
  decodeOwnColumns,
  openStored: (name, bytes) => openStored(name === null ? null : datasetOf(name), bytes),

  *appending(name, onto, rows, metadata) {
    const dataset = datasetOf(name);
    const tail = openTail(onto);
    const merged = groupsToMerge([...tail.groups.map((group) => group.rows), rows.length]);
    if (merged === 0) return append(tail, yield* encoding(dataset, rows, metadata), metadata).bytes;
    const before = decodeParquet(dataset, onto, tail.groups.length - (merged - 1)) as readonly ParquetRow[];
    return replaceLast(tail, merged - 1, yield* encoding(dataset, [...before, ...rows], metadata), metadata).bytes;
  },
};

function encoding(
  dataset: Dataset,
  rows: readonly ParquetRow[],
  metadata: FileMetadata,
  like: readonly ParquetRow[] | null = null,
): Task<Uint8Array> {
  return encodingParquet(dataset, rows as never, metadata, like as never);
}

function datasetOf(name: string): Dataset {
  const dataset = known.get(name);
  if (dataset === undefined) throw new Error(`no dataset ${name}`);
  return dataset;
}
