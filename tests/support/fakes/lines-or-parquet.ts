// Decodes the files of a fake log: Parquet if the test wrote Parquet, otherwise lines of text, each an open quote of
// its sportsbook.
import type { ParquetRow, ParquetWriter } from '../../../core/ports/parquet.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { required, utf8 } from '../../../schemas/datasets/column.ts';

export const linesOrParquet: Pick<ParquetWriter, 'batches' | 'slice' | 'cut' | 'decodeOwnColumns'> = {
  slice: parquetWriter.slice,
  cut: parquetWriter.cut,
  decodeOwnColumns(bytes) {
    const text = Buffer.from(bytes).toString('latin1');
    if (text.startsWith('PAR1')) return parquetWriter.decodeOwnColumns(bytes);
    const lines = text.split('\n').filter((line) => line !== '');
    return { columns: [required('line', utf8, 'A line.')], rows: lines.map((line) => ({ line })) };
  },
  batches(dataset, bytes) {
    const text = Buffer.from(bytes).toString('latin1');
    if (text.startsWith('PAR1')) return parquetWriter.batches(dataset, bytes);
    const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [rowOf(line)]));
    return [{ count: rows.length, rows: () => rows }];
  },
};

/** `generation row sportsbook`: each row is a selection of its own. */
function rowOf(line: string): ParquetRow {
  const [, number = '', operator = ''] = line.split(' ');
  return {
    ...{ operator, selection_id: `x_line/full/${number}`, market: 'x_line', period: 'full', selection: number },
    ...{ line: null, price_american: 100, price_decimal: 20_000, price_source_format: 'american', is_open: true },
    ...{ change: 'opened', timestamp: 0, quote_state: 'live' },
  };
}
