// The catalog's rows as one compressed file of lines: each table's form followed by its rows, and at the end the number of rows. A
// truncated file lacks the end and is refused.
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Sql } from '../../platform/postgres/sql.ts';
import {
  beginFilling,
  keptTables,
  raiseSequences,
  readRows,
  readSequences,
  type TableForm,
  writeRows,
  writeSequences,
} from '../../platform/postgres/table-rows.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';

type Line = { table: TableForm } | { row: string } | { sequences: Readonly<Record<string, string>> } | { end: number };

/**
 * Writes every row that the transaction of `tx` sees, about `all`. Returns how many.
 * @throws Error when the login may not read every table and sequence
 */
export async function writeCatalog(
  tx: Sql,
  file: string,
  interrupted: AbortSignal,
  all: number,
  open: OpenProgress = openProgress,
): Promise<number> {
  // First, so that a login without the right is refused before it reads the rows. Values newer than the snapshot only leave gaps.
  const sequences = await readSequences(tx);
  using progress = open({ unit: 'rows', all });
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    for (const table of await keptTables(tx)) {
      yield lineOf({ table });
      for await (const rows of readRows(tx, table)) {
        interrupted.throwIfAborted();
        count += rows.length;
        yield rows.map((row) => lineOf({ row })).join('');
        progress.add(rows.length);
      }
    }
    yield lineOf({ sequences });
    yield lineOf({ end: count });
  }
  await pipeline(
    Readable.from(lines()),
    createGzip({ level: 1 }),
    createWriteStream(file, { mode: 0o600, flush: true }),
  );
  return count;
}

const batchRows = 1_000;
const batchBytes = 4 * 1024 * 1024;

/** Replaces the rows of a database with the same schema by the `all` of the file. @throws Error when the file is incomplete */
export async function fillFromCatalog(
  tx: Sql,
  file: string,
  interrupted: AbortSignal,
  all: number,
  open: OpenProgress = openProgress,
): Promise<number> {
  const known = await keptTables(tx);
  await beginFilling(tx, known);
  using progress = open({ unit: 'rows', all });
  let [count, bytes] = [0, 0];
  let table: TableForm | null = null;
  let rows: string[] = [];
  const flush = async (): Promise<void> => {
    interrupted.throwIfAborted();
    if (table !== null && rows.length > 0) await writeRows(tx, table, rows);
    progress.add(rows.length);
    [rows, bytes] = [[], 0];
  };
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  reading.catch(() => {});
  let isWhole = false;
  for await (const text of createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as Line;
    if ('row' in line) {
      rows.push(line.row);
      count += 1;
      bytes += line.row.length;
      if (rows.length >= batchRows || bytes >= batchBytes) await flush();
      continue;
    }
    await flush();
    if ('table' in line) table = ownForm(known, line.table);
    else if ('sequences' in line) await writeSequences(tx, line.sequences);
    else isWhole = line.end === count;
  }
  await reading;
  await raiseSequences(tx);
  if (!isWhole) throw new Error(`${file} does not end as it was written`);
  return count;
}

/** The database's own form of a table, so that no name from the file becomes part of a statement. */
function ownForm(known: readonly TableForm[], given: TableForm): TableForm {
  const own = known.find(({ name }) => name === given.name);
  if (own === undefined || own.columns.join() !== given.columns.join())
    throw new Error(`the backup's table ${given.name} is not one of this release`);
  return own;
}

function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
