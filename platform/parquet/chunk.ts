// One column of one row group: an optional dictionary page, one data page, and the description of both for the footer.
// Of the encodings that fit, the smallest is taken. The buffers serve one chunk after another, so that a small file allocates little.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import type { ChunkFacts } from './chunk-description.ts';
import { NumberCodes, TextCodes } from './dictionary.ts';
import { type ColumnLayout, physical } from './layout.ts';
import { Leaves, type Row } from './leaves.ts';
import { encoding, type PageSize, type PageTarget, writeDataPage, writeDictionaryPage } from './pages.ts';
import { bitsFor, writeRuns } from './runs.ts';
import { type Bounds, numberBounds, textBounds } from './statistics.ts';
import { evenStep, writeFlags, writeLevels, writeNumbers, writeSteps, writeTexts } from './values.ts';

/** About what the header and the frame of one more page take. */
const pageOverhead = 32;

const leaves = new Leaves();
const textCodes = new TextCodes();
const numberCodes = new NumberCodes();
const body = new ByteSink(65_536);

/** A row group being written: `rows[from, to)` into `file`. */
export type GroupTarget = PageTarget & {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly to: number;
};

/** Appends `column` to the group; answers what the footer has to say of it. */
export function writeChunk(group: GroupTarget, column: ColumnLayout): ChunkFacts {
  leaves.collect(group.rows, group.from, group.to, column);
  const step = column.leaf === 'number' ? evenStep(leaves.numbers, leaves.values) : null;
  const codes = step === null ? dictionaryOf(column) : null;
  const entries = codes && writeEntries(group, column, codes.distinct);
  const valueEncoding = fillBody(column, codes, step);
  const data = writeDataPage(group, body, leaves.count, valueEncoding);
  return {
    size: {
      uncompressed: data.uncompressed + (entries?.uncompressed ?? 0),
      compressed: data.compressed + (entries?.compressed ?? 0),
    },
    valueEncoding,
    entries: leaves.count,
    nulls: leaves.count - leaves.values,
    dictionary: entries?.compressed ?? 0,
    bounds: boundsOf(column, codes),
  };
}

type Codes = TextCodes | NumberCodes;

/** The codes of the values where a dictionary is smaller than the plain values. */
function dictionaryOf(column: ColumnLayout): Codes | null {
  if (column.leaf === 'text') {
    const codes = textCodes.take(leaves.texts) ? textCodes : null;
    return codes && saves(plainLength(leaves.texts), plainLength(codes.entries), codes.distinct) ? codes : null;
  }
  if (column.leaf === 'flag' || !numberCodes.take(leaves.numbers, leaves.values)) return null;
  const width = column.physical === physical.int32 ? 4 : 8;
  return saves(leaves.values * width, numberCodes.distinct * width, numberCodes.distinct) ? numberCodes : null;
}

function saves(plain: number, entries: number, distinct: number): boolean {
  return entries + (leaves.values * bitsFor(distinct - 1)) / 8 + pageOverhead < plain;
}

function plainLength(texts: readonly string[]): number {
  let length = texts.length * 4;
  for (const text of texts) length += text.length;
  return length;
}

function writeEntries(target: PageTarget, column: ColumnLayout, distinct: number): PageSize {
  body.clear();
  if (column.leaf === 'text') writeTexts(body, textCodes.entries);
  else writeNumbers(body, column, numberCodes.entries, distinct);
  return writeDictionaryPage(target, body, distinct);
}

/** Makes the body of the data page, levels and values; answers how the values are encoded. */
function fillBody(column: ColumnLayout, codes: Codes | null, step: number | null): number {
  body.clear();
  if (column.list) writeLevels(body, leaves.repeated, leaves.count);
  if (column.list || column.nullable) writeLevels(body, leaves.present, leaves.count);
  if (codes) {
    const bits = bitsFor(codes.distinct - 1);
    body.byte(bits);
    writeRuns(body, codes.codes, leaves.values, bits);
    return encoding.dictionary;
  }
  if (step !== null) {
    writeSteps(body, leaves.numbers[0]!, step, leaves.values);
    return encoding.deltas;
  }
  if (column.leaf === 'text') writeTexts(body, leaves.texts);
  else if (column.leaf === 'flag') writeFlags(body, leaves.numbers, leaves.values);
  else writeNumbers(body, column, leaves.numbers, leaves.values);
  return encoding.plain;
}

function boundsOf(column: ColumnLayout, codes: Codes | null): Bounds<string | number> {
  if (column.leaf === 'text') return textBounds(codes ? textCodes.entries : leaves.texts);
  if (codes) return numberBounds(numberCodes.entries, codes.distinct);
  return numberBounds(leaves.numbers, leaves.values);
}
