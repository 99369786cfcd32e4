// The log of a fake game as real files. Each row of text becomes a row of the dataset, and a tail grows by row groups,
// as a projector's does.
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type SportsbookLinesRow, sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import type { RowCodec } from '../fakes/api-fakes.ts';
import { lineRows } from './final-rows.ts';

const none = new Map<string, string>();

/** The row that `text` (generation, number, operator) stands for in the log of this game. */
export function lineOf(text: string): SportsbookLinesRow {
  const [, number = '1', operator = ''] = text.split(' ');
  const rows = lineRows({ uuid: '', gameId: 'MLB_STL_NYY_20260805', league: 'MLB' }, Number(number));
  return { ...(rows.at(-1) as SportsbookLinesRow), operator, row_number: Number(number) };
}

export const parquetRows: RowCodec = (rows, before) => {
  const { name } = sportsbookLines;
  if (before === null) return parquetWriter.encode(name, rows.map(lineOf), none);
  const added = rows.slice(before.rows).map(lineOf);
  return added.length === 0 ? before.bytes : runToEnd(parquetWriter.appending(name, before.bytes, added, none));
};
