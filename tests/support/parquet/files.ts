// A file of every kind that the service writes: single, empty, stitched from one to forty groups, merged, closed,
// boards, snapshots, and files written group by group as rows came.

import { append, openTail, replaceLast, stitch } from '../../../core/parquet/tail.ts';
import { batchesOf } from '../../../platform/parquet/decode.ts';
import { openFile } from '../../../platform/parquet/open-file.ts';
import { board } from '../../../schemas/datasets/board.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { encodeParquet } from '../builders/in-one-go.ts';
import { everyFileKind, rowsFrom } from './rows.ts';

export type WrittenFile = {
  name: string;
  dataset: Dataset;
  rows: readonly Readonly<Record<string, unknown>>[];
  bytes: Uint8Array;
};

const none = new Map<string, string>();

/** All files; the rows come from `seed`. */
export function filesOfEveryKind(seed: number): WrittenFile[] {
  return [
    ...everyFileKind.flatMap(({ name, dataset }) => [
      single(`${name}, no row`, dataset, seed, 0),
      single(`${name}, one row`, dataset, seed + 1, 1),
      single(`${name}, one group`, dataset, seed + 2, 300),
      stitched(`${name}, three groups`, dataset, seed + 3, 3),
      streamed(`${name}, written in batches`, dataset, seed + 8),
    ]),
    ...Array.from({ length: 40 }, (_, index) =>
      stitched(`tail of ${index + 1} groups`, sportsbookLines, seed + 100 * index, index + 1),
    ),
    single('board of five', board, seed + 4, 5),
    single('closed segment of 512', sportsbookLines, seed + 5, 512),
    single('closed segment of 8,192', sportsbookLines, seed + 6, 8_192),
    merged(seed + 7),
  ];
}

function single(name: string, dataset: Dataset, seed: number, count: number): WrittenFile {
  const rows = rowsFrom(dataset, seed, count);
  return { name, dataset, rows, bytes: encodeParquet(dataset, rows, none) };
}

/** Each row group has rows from another seed, and so other encodings and bounds. */
function stitched(name: string, dataset: Dataset, seed: number, groups: number): WrittenFile {
  const pieces = Array.from({ length: groups }, (_, index) =>
    rowsFrom(dataset, seed + index, 1 + ((seed + index * 7) % 40)),
  );
  const { bytes } = stitch(pieces.map((rows) => encodeParquet(dataset, rows, none)));
  return { name, dataset, rows: pieces.flat(), bytes };
}

/**
 * Rows of several styles, in batches whose ends differ from those of the groups; every other batch comes from another
 * file.
 */
function streamed(name: string, dataset: Dataset, seed: number): WrittenFile {
  const pieces = Array.from({ length: 6 }, (_, index) => rowsFrom(dataset, seed + index, 37 + index));
  const file = openFile(dataset, none, 64);
  for (const [index, rows] of pieces.entries()) {
    if (index % 2 === 0) file.add(rows);
    else for (const batch of batchesOf(dataset, encodeParquet(dataset, rows, none))) file.add(batch);
  }
  return { name, dataset, rows: pieces.flat(), bytes: file.finish() };
}

/** A tail whose middle groups were encoded again as one group. */
function merged(seed: number): WrittenFile {
  const pieces = [20, 30, 25, 40].map((count, index) => rowsFrom(sportsbookLines, seed + index, count));
  const encode = (rows: (typeof pieces)[number]) => encodeParquet(sportsbookLines, rows, none);
  const three = stitch(pieces.slice(0, 3).map(encode));
  const two = replaceLast(three, 2, encode([...pieces[1]!, ...pieces[2]!]));
  const tail = append(openTail(two.bytes), encode(pieces[3]!));
  return { name: 'tail with merged groups', dataset: sportsbookLines, rows: pieces.flat(), bytes: tail.bytes };
}
