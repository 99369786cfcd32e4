// Writes the values of one column as the bytes of a page: plain or as evenly spaced numbers, and the levels that say which entries have a
// value.
import type { ByteSink } from '../../core/parquet/byte-sink.ts';
import { type ColumnLayout, physical } from './layout.ts';
import { writeRuns, writeSame } from './runs.ts';

/** `count` one-bit levels, preceded by their length. `same`: all are known to be equal. */
export function writeLevels(body: ByteSink, levels: Uint8Array, count: number, same: boolean): void {
  const start = body.length;
  body.int32(0);
  if (same && count > 0) writeSame(body, levels[0]!, count, 1);
  else writeRuns(body, levels, count, 1);
  body.patchInt32(start, body.length - start - 4);
}

export function writeTexts(body: ByteSink, texts: readonly string[]): void {
  for (const text of texts) {
    const start = body.length;
    body.int32(0);
    body.text(text);
    body.patchInt32(start, body.length - start - 4);
  }
}

export function writeNumbers(body: ByteSink, column: ColumnLayout, numbers: Float64Array, count: number): void {
  if (column.physical === physical.int32) for (let index = 0; index < count; index++) body.int32(numbers[index]!);
  else for (let index = 0; index < count; index++) body.int64(numbers[index]!);
}

export function writeFlags(body: ByteSink, flags: Float64Array, count: number): void {
  for (let index = 0; index < count; index += 8) {
    let bits = 0;
    for (let bit = 0; bit < 8 && index + bit < count; bit++) bits |= flags[index + bit]! << bit;
    body.byte(bits);
  }
}

const blockValues = 128;
const blockParts = 4;
const widestStep = 2 ** 31 - 1;
const farthestStart = 2 ** 51;

/**
 * The constant difference between neighbours: numbered rows, a batch with one time. Null if it is not constant, or if the numbers are too
 * few or too large for it to pay.
 */
export function evenStep(numbers: Float64Array, count: number): number | null {
  const first = numbers[0]!;
  const step = numbers[1]! - first;
  if (count < 4 || Math.abs(step) > widestStep || Math.abs(first) > farthestStart) return null;
  for (let index = 2; index < count; index++) if (numbers[index]! - numbers[index - 1]! !== step) return null;
  return step;
}

/** DELTA_BINARY_PACKED for numbers that are `step` apart: the deltas take no bits. */
export function writeSteps(body: ByteSink, first: number, step: number, count: number): void {
  body.varint(blockValues);
  body.varint(blockParts);
  body.varint(count);
  body.zigzag(first);
  for (let left = count - 1; left > 0; left -= blockValues) {
    body.zigzag(step);
    for (let part = 0; part < blockParts; part++) body.byte(0);
  }
}
