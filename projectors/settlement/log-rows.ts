// The rows of a closed log in log order, some at a time, without those that the administrator has removed. In memory are those of one segment
// and the bytes of a few, whatever the log holds.
import type { QuoteRow } from '../../core/live/types.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import type { RowSpan } from '../../core/ports/catalog/settlement.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { ParquetRow, RowBatch } from '../../core/ports/parquet.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { committedFile } from './committed-file.ts';
import { readAhead } from './read-ahead.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

/** The same rows twice: as they are read, and in the form in which they are quickest added to a file. */
export type LogPart = { rows: readonly QuoteRow[]; lines: readonly ParquetRow[] | RowBatch };

/** `removed`: the rows that were left out of the part. */
type RemainingPart = LogPart & { removed: readonly QuoteRow[] };

type Segment = { seq: number; file: FileRef };

const segmentsAhead = 4;

type Tools = Pick<SettlementTools, 'objects' | 'parquet'>;

/** @throws InputDamaged when a segment is not the committed one, or the rows are not all there */
export async function* logRows(
  tools: Tools,
  log: ServedLog,
  removed: readonly RowSpan[],
): AsyncGenerator<RemainingPart> {
  let next = 1;
  const read = async ({ seq, file }: Segment) => ({ seq, bytes: await committedFile(tools.objects, file) });
  for await (const { seq, bytes } of readAhead(segmentsOf(log), segmentsAhead, read)) {
    for (const batch of tools.parquet.batches(null, bytes)) {
      const part = inPresentColumns(batch);
      for (const { row_number: number } of part.rows) {
        if (number !== next)
          throw new InputDamaged(`segment ${seq} of ${log.gameUuid} has row ${number} in place of ${next}`);
        next += 1;
      }
      yield without(removed, part);
    }
  }
  if (next - 1 !== log.rows)
    throw new InputDamaged(`the segments of ${log.gameUuid} hold ${next - 1} rows of ${log.rows}`);
}

/** A segment of an older release may lack columns, which are null then. Every row of a batch has the same. */
function inPresentColumns(batch: RowBatch): LogPart {
  const rows = batch.rows() as readonly object[] as readonly QuoteRow[];
  const absent = sportsbookLines.columns.filter(({ name }) => rows[0] !== undefined && !(name in rows[0]));
  if (absent.length === 0) return { rows, lines: batch };
  const nulls = Object.fromEntries(absent.map(({ name }) => [name, null]));
  const filled = rows.map((row) => ({ ...row, ...nulls }));
  return { rows: filled, lines: filled };
}

function without(spans: readonly RowSpan[], part: LogPart): RemainingPart {
  if (spans.length === 0) return { ...part, removed: [] };
  const isRemoved = ({ row_number: number }: QuoteRow) =>
    spans.some(([first, last]) => first <= number && number <= last);
  const removed = part.rows.filter(isRemoved);
  const rows = part.rows.filter((row) => !isRemoved(row));
  return { rows, lines: rows, removed };
}

function segmentsOf({ closed, tail }: ServedLog): Segment[] {
  const segments = closed.map(({ seq, key, size, sha256 }) => ({ seq, file: { key, offset: 0, size, sha256 } }));
  return tail === null ? segments : [...segments, { seq: tail.seq, file: tail.file }];
}
