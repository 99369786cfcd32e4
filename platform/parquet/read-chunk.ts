// Reads one column of one row group from its pages: the reverse of chunk.ts.
import { ParquetFormatError } from '../../core/parquet/thrift-reader.ts';
import type { ChunkPlace } from './chunk-places.ts';
import { type ColumnValues, noCodes, noNumbers, noTexts } from './column-values.ts';
import type { ColumnLayout } from './layout.ts';
import { encoding } from './pages.ts';
import { type Page, readPages } from './read-pages.ts';
import { BodyReader } from './read-values.ts';

/** Buffer for codes that are turned into numbers at once. */
let scratch = new Uint32Array(8_192);

/** More list elements than any group of the service has. */
const mostEntries = 2 ** 26;

/** The values of `column` in its chunk. `bytes` begins at offset `from` of the file. `rows`: the row count of the group. */
export function readChunk(
  bytes: Uint8Array,
  from: number,
  column: ColumnLayout,
  place: ChunkPlace,
  rows: number,
): ColumnValues {
  const { dictionary, data } = readPages(bytes, place.start - from, place.end - from);
  const count = data.entries;
  if (place.physical !== column.physical || count !== place.entries || !holdsRows(column, count, rows)) {
    throw new ParquetFormatError(`column ${column.name} does not hold what the footer says`);
  }
  const body = new BodyReader(data.body);
  const repeated = column.list ? body.levels(count) : null;
  const levels = column.list || column.nullable ? body.levels(count) : null;
  const values = levels === null ? count : sum(levels);
  if (repeated !== null && count - sum(repeated) !== rows) {
    throw new ParquetFormatError(`the lists of column ${column.name} do not match its rows`);
  }
  const shape = { count, values, present: values === count ? null : levels, repeated };
  const read = { ...shape, ...valuesOf(column, dictionary, data.valueEncoding, body, values) };
  body.end();
  return read;
}

/** A list has at least one entry per row. */
function holdsRows({ list }: ColumnLayout, entries: number, rows: number): boolean {
  return list ? entries >= rows && entries <= mostEntries : entries === rows;
}

function valuesOf(
  column: ColumnLayout,
  dictionary: Page | null,
  valueEncoding: number,
  body: BodyReader,
  values: number,
): Pick<ColumnValues, 'numbers' | 'texts' | 'codes'> {
  if ((valueEncoding === encoding.dictionary) !== (dictionary !== null)) throw foreign(column);
  if (column.leaf === 'text') {
    if (dictionary !== null) {
      const codes = body.fillCodes(new Uint32Array(values));
      return {
        numbers: noNumbers,
        texts: entriesOf(dictionary, (entries) => entries.texts(dictionary.entries)),
        codes: within(codes, dictionary),
      };
    }
    if (valueEncoding !== encoding.plain) throw foreign(column);
    return { numbers: noNumbers, texts: body.texts(values), codes: ascending(values) };
  }
  return { numbers: numbersOf(column, dictionary, valueEncoding, body, values), texts: noTexts, codes: noCodes };
}

function numbersOf(
  column: ColumnLayout,
  dictionary: Page | null,
  valueEncoding: number,
  body: BodyReader,
  values: number,
): Float64Array {
  if (dictionary !== null) {
    const entries = entriesOf(dictionary, (each) => each.numbers(dictionary.entries, column.physical));
    if (values > scratch.length) scratch = new Uint32Array(values);
    const codes = within(body.fillCodes(scratch.subarray(0, values)), dictionary);
    const numbers = new Float64Array(values);
    for (let index = 0; index < values; index++) numbers[index] = entries[codes[index]!]!;
    return numbers;
  }
  if (column.leaf === 'flag' && valueEncoding === encoding.plain) return body.flags(values);
  if (valueEncoding === encoding.deltas) return body.steps(values);
  if (valueEncoding !== encoding.plain) throw foreign(column);
  return body.numbers(values, column.physical);
}

function entriesOf<T>(dictionary: Page, read: (body: BodyReader) => T): T {
  if (dictionary.entries < 0) throw new ParquetFormatError('a dictionary has a negative number of entries');
  const body = new BodyReader(dictionary.body);
  const entries = read(body);
  body.end();
  return entries;
}

/** The codes, checked against the dictionary's size. */
function within(codes: Uint32Array, { entries }: Page): Uint32Array {
  for (let index = 0; index < codes.length; index++) {
    if (codes[index]! >= entries) throw new ParquetFormatError('a value is not in its dictionary');
  }
  return codes;
}

function ascending(count: number): Uint32Array {
  const codes = new Uint32Array(count);
  for (let index = 0; index < count; index++) codes[index] = index;
  return codes;
}

function sum(levels: Uint8Array): number {
  let total = 0;
  for (let index = 0; index < levels.length; index++) total += levels[index]!;
  return total;
}

function foreign({ name }: ColumnLayout): ParquetFormatError {
  return new ParquetFormatError(`column ${name} uses an encoding that this service does not write`);
}
