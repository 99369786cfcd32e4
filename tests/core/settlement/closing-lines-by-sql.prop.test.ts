// Claim: closing lines depend on the rows of the log alone, and a stranger finds them with one query. Random logs are cut anywhere into
// Parquet files; fed with them file by file, and asked for its rows in between, core/settlement says what it says of the whole log, and what
// DuckDB says of the files in another order. A violation would be a row that counts by the file it is in, or a rule that the query reads
// differently.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { ClosingLines } from '../../../core/settlement/closing-lines.ts';
import { type StartOfPlay, startOfPlay } from '../../../core/settlement/game-lifecycle.ts';
import { decodeParquet } from '../../../platform/parquet/decode.ts';
import type { ClosingLinesRow } from '../../../schemas/datasets/closing-lines.ts';
import { type SportsbookLinesRow, sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { settlementLogs } from '../../support/arbitraries/settlement-log.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { SettlementLog } from '../../support/folds/settlement-log.ts';
import { closingLinesBySql, columnsOfLog } from '../../support/parquet/closing-lines-sql.ts';
import { DuckDb } from '../../support/parquet/readers.ts';
import { assertSameRows } from '../../support/parquet/same-rows.ts';

const runs = cases(80);
let folder: string;
let duckDb: DuckDb;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sds-closing-'));
  duckDb = await DuckDb.open();
});

afterAll(() => {
  duckDb.close();
  rmSync(folder, { recursive: true, force: true });
});

it('are the same from files cut anywhere, and by SQL', async () => {
  let found = 0;
  let left = 0;
  let logs = 0;
  const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 12 }));
  await fc.assert(
    fc.asyncProperty(settlementLogs, sizes, async (given, sizesOfFiles) => {
      const log = new SettlementLog();
      for (const record of given.records) log.apply(record);
      fc.pre(log.rows.length > 0);
      const start = startOfPlay(log.course)!;
      const whole = closingRows(start, [log.rows]);
      const files = cut(log.rows, sizesOfFiles).map((rows) => encodeParquet(sportsbookLines, rows, new Map()));
      assertSameRows(
        closingRows(
          start,
          files.map((bytes) => decodeParquet(sportsbookLines, bytes)),
        ),
        whole,
      );
      // DuckDB keeps what it knows of a file even if it is rewritten, so each name is used once, as in service.
      logs += 1;
      const paths = files.map((bytes, at) => {
        const path = join(folder, `${logs}-${at}.parquet`);
        writeFileSync(path, bytes);
        return path;
      });
      const bySql = await closingLinesBySql(duckDb, { files: paths.toReversed(), t0: start.t0, basis: start.basis });
      assertSameRows(bySql, whole.map(ofLog));
      found += whole.length;
      left += new Set(log.rows.map((row) => `${row.operator} ${row.selection_id}`)).size - whole.length;
    }),
    { numRuns: runs },
  );
  // Everything compared must have occurred.
  assert.ok(found > runs / 2 && left > runs / 2, `${found} rows, ${left} selections without one`);
});

/** The closing lines of a log that comes in batches; after each batch the rows are requested as if it were the last. */
function closingRows(start: StartOfPlay, batches: readonly (readonly SportsbookLinesRow[])[]): ClosingLinesRow[] {
  const lines = new ClosingLines(start);
  const game = { gameId: 'G', league: 'NFL', gameDate: '2026-01-10', lineups: { home: [], away: [] } };
  for (const batch of batches) {
    for (const row of batch) lines.add(row);
    lines.rows(game);
  }
  return lines.rows(game);
}

function cut(rows: readonly SportsbookLinesRow[], sizes: Iterable<number>): SportsbookLinesRow[][] {
  const files: SportsbookLinesRow[][] = [];
  let from = 0;
  for (const size of sizes) {
    if (from >= rows.length) break;
    files.push(rows.slice(from, from + size));
    from += size;
  }
  return files;
}

function ofLog(row: ClosingLinesRow): Record<string, unknown> {
  return Object.fromEntries(columnsOfLog.map((name) => [name, row[name]]));
}
