// One column of one row group: an optional dictionary page, one data page, and their description for the footer. Picks the smallest
// suitable encoding. Reuses its buffers for every chunk, so that a small file allocates little.
import { ByteSink } from '../../core/parquet/byte-sink.ts';
import type { ChunkFacts } from './chunk-description.ts';
import { type Codes, NumberCodes, TextCodes } from './dictionary.ts';
import { type ColumnLayout, physical } from './layout.ts';
import { Leaves, type Row } from './leaves.ts';
import { encoding, type PageSize, type PageTarget, writeDataPage, writeDictionaryPage } from './pages.ts';
import { bitsFor, writeRuns, writeSame } from './runs.ts';
import { type Bounds, numberBounds, textBounds } from './statistics.ts';
import { evenStep, writeFlags, writeLevels, writeNumbers, writeSteps, writeTexts } from './values.ts';

/** Roughly the header and frame of one more page. */
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

/** Codes assigned as the texts arrived, and how many bytes the texts take when plain. */
export type KnownCodes = Codes<readonly string[]> & { plainLength(): number };

/** The contents of a chunk. */
export type ChunkValues = Pick<Leaves, 'count' | 'values' | 'present' | 'repeated' | 'numbers'> & {
  readonly texts: readonly string[];
  /** The codes of the texts, if already known. */
  readonly coded: KnownCodes | null;
};

/** Appends `column` to the group; returns its description for the footer. */
export function writeChunk(group: GroupTarget, column: ColumnLayout): ChunkFacts {
  leaves.collect(group.rows, group.from, group.to, column);
  return writeValues(group, column, leaves);
}

/** The same for values that were collected before. */
export function writeValues(target: PageTarget, column: ColumnLayout, values: ChunkValues): ChunkFacts {
  const step = column.leaf === 'number' ? evenStep(values.numbers, values.values) : null;
  const codes = step === null ? dictionaryOf(column, values) : null;
  const entries = codes && writeEntries(target, column, codes);
  const valueEncoding = fillBody(column, values, codes, step);
  const data = writeDataPage(target, body, values.count, valueEncoding);
  return {
    size: {
      uncompressed: data.uncompressed + (entries?.uncompressed ?? 0),
      compressed: data.compressed + (entries?.compressed ?? 0),
    },
    valueEncoding,
    entries: values.count,
    nulls: values.count - values.values,
    dictionary: entries?.compressed ?? 0,
    bounds: boundsOf(column, values, codes),
  };
}

type AnyCodes = Codes<readonly string[]> | Codes<Float64Array>;

/** The codes of the values, if a dictionary is smaller than the plain values. */
function dictionaryOf(column: ColumnLayout, given: ChunkValues): AnyCodes | null {
  const { values, coded } = given;
  if (column.leaf === 'flag') return null;
  if (column.leaf === 'text') {
    const codes = coded ?? (textCodes.take(given.texts) ? textCodes : null);
    if (codes === null || !codes.repeats(values)) return null;
    const plain = coded?.plainLength() ?? plainLength(given.texts);
    return saves(values, plain, plainLength(codes.entries), codes.distinct) ? codes : null;
  }
  if (!numberCodes.take(given.numbers, values)) return null;
  const width = column.physical === physical.int32 ? 4 : 8;
  return saves(values, values * width, numberCodes.distinct * width, numberCodes.distinct) ? numberCodes : null;
}

function saves(values: number, plain: number, entries: number, distinct: number): boolean {
  return entries + (values * bitsFor(distinct - 1)) / 8 + pageOverhead < plain;
}

function plainLength(texts: readonly string[]): number {
  let length = texts.length * 4;
  for (const text of texts) length += text.length;
  return length;
}

function writeEntries(target: PageTarget, column: ColumnLayout, { entries, distinct }: AnyCodes): PageSize {
  body.clear();
  if (entries instanceof Float64Array) writeNumbers(body, column, entries, distinct);
  else writeTexts(body, entries);
  return writeDictionaryPage(target, body, distinct);
}

/** Fills the body of the data page with levels and values; returns the encoding of the values. */
function fillBody(column: ColumnLayout, values: ChunkValues, codes: AnyCodes | null, step: number | null): number {
  body.clear();
  const { count } = values;
  if (column.list) writeLevels(body, values.repeated, count, false);
  const same = values.values === count || values.values === 0;
  if (column.list || column.nullable) writeLevels(body, values.present, count, same);
  if (codes) {
    const bits = bitsFor(codes.distinct - 1);
    body.byte(bits);
    if (codes.distinct === 1) writeSame(body, 0, values.values, bits);
    else writeRuns(body, codes.codes, values.values, bits);
    return encoding.dictionary;
  }
  if (step !== null) {
    writeSteps(body, values.numbers[0]!, step, values.values);
    return encoding.deltas;
  }
  if (column.leaf === 'text') writeTexts(body, values.texts);
  else if (column.leaf === 'flag') writeFlags(body, values.numbers, values.values);
  else writeNumbers(body, column, values.numbers, values.values);
  return encoding.plain;
}

function boundsOf(column: ColumnLayout, values: ChunkValues, codes: AnyCodes | null): Bounds<string | number> {
  const entries = codes?.entries ?? (column.leaf === 'text' ? values.texts : values.numbers);
  if (entries instanceof Float64Array) return numberBounds(entries, codes?.distinct ?? values.values);
  return textBounds(entries);
}
