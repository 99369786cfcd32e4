// Lines of an NDJSON body, by their bytes. Blank lines are none; the last line needs no end.

import type { Steps } from '../../core/steps.ts';

const linesOfStep = 1_000;

/** A line that is not blank: its number from 1 in the body, and its bytes [start, end) without white space around them. */
export type BodyLine = { line: number; start: number; end: number };

export function* splitLines(body: Uint8Array): Steps<BodyLine[]> {
  const lines: BodyLine[] = [];
  let from = 0;
  for (let line = 1; from < body.length; line += 1) {
    if (line % linesOfStep === 0) yield;
    const found = body.indexOf(0x0a, from);
    const to = found === -1 ? body.length : found;
    let start = from;
    let end = to;
    while (start < end && isSpace(body[start] as number)) start += 1;
    while (end > start && isSpace(body[end - 1] as number)) end -= 1;
    if (start < end) lines.push({ line, start, end });
    from = to + 1;
  }
  return lines;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}
