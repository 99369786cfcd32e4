// Reads a recorded feed line by line: NDJSON, plain or compressed, each line with its time and a body. Numbers keep their text, because a
// source's price counts as written.
import { createInterface } from 'node:readline';
import { parse, stringify } from 'lossless-json';
import { parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { openInflated } from './open-inflated.ts';

/** `members`: those of the line; none where the line is the body itself. */
export type RecordedLine = { number: number; at: Micros; body: unknown; members: Readonly<Record<string, unknown>> };

/** Names of the members that hold the time of observation, and the body. A body of MySportsFeeds as received has its own time. */
const timeMembers = ['committed_at', 'observed_at', 'at', 'timestamp', 'lastUpdatedOn'];
const bodyMembers = ['data', 'body'];

/** A line that is not a recorded observation. The message names the line and what it lacks. */
export class BadLine extends Error {
  override readonly name = 'BadLine';
}

/** The lines of a recording (`.ndjson`, `.gz`, `.zst`), in order. Rejects with BadLine, also when the file is torn. */
export async function* readRecording(file: string): AsyncGenerator<RecordedLine> {
  const input = openInflated(file);
  let failure: Error | null = null;
  input.on('error', (error) => {
    failure = error;
  });
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (line.trim() !== '') yield readLine(line, number, file);
    }
  } catch (error) {
    if (failure === null) throw error;
  } finally {
    input.destroy();
  }
  if (failure !== null) throw new BadLine(`${file}, after line ${number}: ${(failure as Error).message}`);
}

/** A body as the text to push. */
export function bodyText(body: unknown): string {
  return stringify(body) ?? 'null';
}

function readLine(line: string, number: number, file: string): RecordedLine {
  let value: unknown;
  try {
    value = parse(line);
  } catch (error) {
    throw new BadLine(`${file}, line ${number}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
  if (typeof value !== 'object' || value === null) throw new BadLine(`${file}, line ${number}: not an object`);
  const members = value as Record<string, unknown>;
  const time = timeMembers.map((name) => members[name]).find((text) => typeof text === 'string');
  const at = time === undefined ? null : parseRfc3339(time);
  if (at === null) throw new BadLine(`${file}, line ${number}: no RFC 3339 time in any of ${timeMembers.join(', ')}`);
  const bodyMember = bodyMembers.find((name) => name in members);
  if (bodyMember !== undefined) return { number, at, body: members[bodyMember], members };
  if ('events' in members) return { number, at, body: { events: members.events }, members };
  if ('lastUpdatedOn' in members) return { number, at, body: value, members: {} };
  throw new BadLine(`${file}, line ${number}: no body in any of ${bodyMembers.join(', ')}, events`);
}
