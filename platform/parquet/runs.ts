// Parquet's hybrid of run-length and bit-packed encoding, for dictionary codes and levels. Eight or more equal values become a run; the
// rest is packed, eight values at a time.
import type { ByteSink } from '../../core/parquet/byte-sink.ts';

const shortestRun = 8;

/** Appends `count` values of `bits` bits each. */
export function writeRuns(sink: ByteSink, values: Uint8Array | Uint32Array, count: number, bits: number): void {
  let packedFrom = 0;
  let at = 0;
  while (at < count) {
    let end = at + 1;
    while (end < count && values[end] === values[at]) end++;
    // A packed stretch must be a multiple of eight: it borrows values from the run that follows.
    const lent = (packedFrom - at) & 7;
    if (end - at - lent >= shortestRun) {
      writePacked(sink, values, packedFrom, at + lent, bits);
      writeRun(sink, values[at]!, end - at - lent, bits);
      packedFrom = end;
    }
    at = end;
  }
  writePacked(sink, values, packedFrom, count, bits);
}

/** Appends `count` times `value`. */
export function writeSame(sink: ByteSink, value: number, count: number, bits: number): void {
  if (count >= shortestRun) writeRun(sink, value, count, bits);
  else writePacked(sink, new Uint32Array(count).fill(value), 0, count, bits);
}

function writeRun(sink: ByteSink, value: number, length: number, bits: number): void {
  sink.varint(length * 2);
  for (let shift = 0; shift < bits; shift += 8) sink.byte((value >>> shift) & 255);
}

function writePacked(sink: ByteSink, values: Uint8Array | Uint32Array, from: number, to: number, bits: number): void {
  if (from === to) return;
  const eights = Math.ceil((to - from) / 8);
  sink.varint(eights * 2 + 1);
  sink.reserve(eights * bits);
  const { bytes } = sink;
  let { length } = sink;
  const end = length + eights * bits;
  let buffer = 0;
  let held = 0;
  for (let index = from; index < to; index++) {
    buffer |= values[index]! << held;
    held += bits;
    while (held >= 8) {
      bytes[length++] = buffer;
      buffer >>>= 8;
      held -= 8;
    }
  }
  if (held > 0) bytes[length++] = buffer;
  bytes.fill(0, length, end);
  sink.length = end;
}

/** How many bits the codes 0 … `highest` take; at least one, because some readers refuse zero. */
export function bitsFor(highest: number): number {
  return Math.max(1, 32 - Math.clz32(highest));
}
