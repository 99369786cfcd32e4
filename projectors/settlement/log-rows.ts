// The rows of a closed log in log order, segment by segment, without those that the administrator has removed. Only one segment is in memory
// at a time, whatever the log holds.
import type { QuoteRow } from '../../core/live/types.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import type { RowSpan } from '../../core/ports/catalog/settlement.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { committedFile } from './committed-file.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

/** @throws InputDamaged when a segment is not the committed one, or the rows are not all there */
export async function* logRows(
  { objects, parquet }: Pick<SettlementTools, 'objects' | 'parquet'>,
  log: ServedLog,
  removed: readonly RowSpan[],
): AsyncGenerator<readonly QuoteRow[]> {
  let next = 1;
  for (const { seq, file } of segmentsOf(log)) {
    const rows = parquet.decodeOwnColumns(await committedFile(objects, file)).rows.map(inPresentColumns);
    for (const { row_number: number } of rows) {
      if (number !== next)
        throw new InputDamaged(`segment ${seq} of ${log.gameUuid} has row ${number} in place of ${next}`);
      next += 1;
    }
    yield removed.length === 0 ? rows : rows.filter(({ row_number: number }) => !isIn(removed, number));
  }
  if (next - 1 !== log.rows)
    throw new InputDamaged(`the segments of ${log.gameUuid} hold ${next - 1} rows of ${log.rows}`);
}

function isIn(spans: readonly RowSpan[], number: number): boolean {
  return spans.some(([first, last]) => first <= number && number <= last);
}

/** A segment of an older release may lack columns, which are null then. */
function inPresentColumns(row: object): QuoteRow {
  const present = row as Record<string, unknown>;
  for (const { name } of sportsbookLines.columns) if (!(name in present)) present[name] = null;
  return present as QuoteRow;
}

function segmentsOf({ closed, tail }: ServedLog): { seq: number; file: FileRef }[] {
  const segments = closed.map(({ seq, key, size, sha256 }) => ({ seq, file: { key, offset: 0, size, sha256 } }));
  return tail === null ? segments : [...segments, { seq: tail.seq, file: tail.file }];
}
