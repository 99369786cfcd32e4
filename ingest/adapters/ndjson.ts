// Finds the lines of an NDJSON body, by their bytes. Blank lines are skipped; the last line needs no newline.
import type { Task } from '../../core/scheduling/task.ts';

/** A line that is not blank: its number in the body, from 1, and its bytes [start, end) without surrounding white space. */
export type BodyLine = { line: number; start: number; end: number };

/** Bytes and lines scanned in one step. */
const bytesOfStep = 64 * 1024;
const linesOfStep = 1_000;

const newline = 0x0a;

export function* splitLines(body: Uint8Array): Task<BodyLine[]> {
  const lines: BodyLine[] = [];
  let line = 1;
  let nextStep = bytesOfStep;
  for (let at = 0; at < body.length; at += 1) {
    if (at >= nextStep) {
      nextStep = at + bytesOfStep;
      yield;
    }
    const code = body[at] as number;
    if (code === newline) line += 1;
    else if (!isSpace(code)) {
      const found = body.indexOf(newline, at);
      const to = found === -1 ? body.length : found;
      let end = to;
      while (isSpace(body[end - 1] as number)) end -= 1;
      lines.push({ line, start: at, end });
      if (lines.length % linesOfStep === 0) yield;
      line += 1;
      at = to;
    }
  }
  return lines;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}
