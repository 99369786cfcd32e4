// The rows that settlement reads of a closed log, and the file of lines that is made of them: whole, without removed rows, and of segments that
// an older release wrote with fewer columns.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { logRows } from '../../../projectors/settlement/log-rows.ts';
import { InputDamaged } from '../../../projectors/settlement/settlement-tools.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const dataset = sportsbookLines.name;
const metadata = new Map([['sds.file', 'final']]);
const rows = rowsFrom(sportsbookLines, 21, 90).map((row, index) => ({ ...row, row_number: index + 1 }));
const older = { ...sportsbookLines, columns: sportsbookLines.columns.filter(({ name }) => name !== 'player_id') };

/**
 * A closed log of segments of thirty rows, and a store that has them. `columns`: those the segments were written with.
 */
async function closedLog(
  lines: readonly ParquetRow[] = rows,
  columns: typeof older | typeof sportsbookLines = sportsbookLines,
) {
  const objects = openMemoryStore();
  const closed = [];
  for (let from = 0; from < lines.length; from += 30) {
    const bytes = encodeParquet(columns, lines.slice(from, from + 30) as never, new Map());
    const key = `segments/${from}`;
    await objects.put(key, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    closed.push({ seq: from / 30 + 1, rows: 30, key, size: bytes.length, sha256 });
  }
  const log = { gameUuid: 'g', rows: lines.length, closed, tail: null } as unknown as ServedLog;
  return { log, tools: { objects, parquet: parquetWriter } };
}

async function readAndWrite({ log, tools }: Awaited<ReturnType<typeof closedLog>>, removed: [number, number][] = []) {
  const file = parquetWriter.openFile(dataset, metadata);
  const read: ParquetRow[] = [];
  for await (const part of logRows(tools, log, removed)) {
    file.add(part.lines);
    read.push(...part.rows);
  }
  return { read, bytes: file.finish() };
}

describe('the rows of a closed log', () => {
  it('are all there, and the file of them has the bytes of one that is written at once', async () => {
    const { read, bytes } = await readAndWrite(await closedLog());
    assertSameRows(read, rows);
    assert.deepEqual(bytes, encodeParquet(sportsbookLines, rows, metadata));
  });

  it('come without those that were removed, in both', async () => {
    const { read, bytes } = await readAndWrite(await closedLog(), [
      [1, 1],
      [28, 61],
    ]);
    const left = rows.filter(({ row_number: number }) => number > 61 || (number > 1 && number < 28));
    assertSameRows(read, left);
    assertSameRows(parquetWriter.decode(dataset, bytes), left);
  });

  it('of a segment with fewer columns have null in the others, in both', async () => {
    const lines = rows.map((row) => ({ ...row, player_id: null }));
    const { read, bytes } = await readAndWrite(await closedLog(rows, older));
    assertSameRows(read, lines);
    assertSameRows(parquetWriter.decode(dataset, bytes), lines);
  });

  it('are refused where one is missing, is there twice, or the last are not there', async () => {
    for (const lines of [rows.toSpliced(40, 1), rows.toSpliced(40, 0, rows[40]!)]) {
      await assert.rejects(readAndWrite(await closedLog(lines)), InputDamaged);
    }
    const { log, tools } = await closedLog();
    await assert.rejects(readAndWrite({ log: { ...log, rows: 91 }, tools }), InputDamaged);
  });
});
