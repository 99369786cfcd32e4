// Parses pushed JSON without losing a digit, and never at the price of a stack: the body is outlined first, elements that
// nest too deep are read as `null`, and the parser is JSON.parse where all numbers survive it, lossless-json else. Of equal
// names in one object the last counts, in either parser.
import { isUtf8 } from 'node:buffer';
import { parse as parseLossless } from 'lossless-json';
import { type ElementSpan, type JsonOutline, scanJson } from '../../core/json/scan.ts';
import { JsonNumber, type JsonValue } from '../../core/json/value.ts';

/** Containers that may nest in one element of a push, unless its format says otherwise. */
const maxDepth = 32;

export type ParsedBody =
  | { kind: 'parsed'; value: JsonValue; outline: JsonOutline }
  | { kind: 'malformed'; detail: string };

/** Parses a body of elements, in UTF-8 JSON, each at most `depth` deep. The detail of a malformed one names the place. */
export function parseJsonBody(bytes: Uint8Array, depth = maxDepth): ParsedBody {
  return parseJson(bytes, depth, true);
}

/** Parses bytes that are one element by themselves. */
export function parseJsonElement(bytes: Uint8Array): ParsedBody {
  return parseJson(bytes, maxDepth, false);
}

function parseJson(bytes: Uint8Array, depth: number, withLists: boolean): ParsedBody {
  if (!isUtf8(bytes)) return { kind: 'malformed', detail: `not UTF-8 at byte ${firstInvalidByte(bytes)}` };
  const outline = scanJson(bytes, depth, withLists);
  if (outline.tooDeep) return { kind: 'malformed', detail: `nested deeper than ${depth} levels` };
  const text = new TextDecoder().decode(withoutDeepElements(bytes, outline));
  try {
    const value = outline.plainNumbers ? (JSON.parse(text) as JsonValue) : parseNumbersAsText(text);
    return { kind: 'parsed', value, outline };
  } catch (error) {
    return { kind: 'malformed', detail: describeError(text, error) };
  }
}

function parseNumbersAsText(text: string): JsonValue {
  return parseLossless(text, undefined, {
    parseNumber: (number) => new JsonNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as JsonValue;
}

/** The bytes with every element that nests too deep replaced by `null`, which is shorter than any such element. */
function withoutDeepElements(bytes: Uint8Array, outline: JsonOutline): Uint8Array {
  const deep: ElementSpan[] = [];
  for (const elements of [outline.elements, ...outline.members.values()]) {
    for (const element of elements) if (element.tooDeep) deep.push(element);
  }
  if (deep.length === 0) return bytes;
  const copy = Uint8Array.from(bytes);
  for (const { start, end } of deep) {
    copy.fill(0x20, start, end);
    copy.set([0x6e, 0x75, 0x6c, 0x6c], start);
  }
  return copy;
}

/** What is wrong and where. JSON.parse does not always say where; lossless-json does. */
function describeError(text: string, error: unknown): string {
  const described = positionIn(error) === null ? errorOfLossless(text) : error;
  const position = positionIn(described);
  const place = position === null ? '' : ` (${placeOf(text, position)})`;
  return `not JSON${place}: ${described instanceof Error ? described.message.slice(0, 200) : 'unreadable'}`;
}

function errorOfLossless(text: string): unknown {
  try {
    parseNumbersAsText(text);
    return null;
  } catch (error) {
    return error;
  }
}

function positionIn(error: unknown): number | null {
  const match = error instanceof Error ? /at position ([0-9]+)/.exec(error.message) : null;
  return match === null ? null : Number(match[1]);
}

function placeOf(text: string, position: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return `line ${line}, column ${position - lineStart + 1}`;
}

/** Offset of the first byte that is no UTF-8: the longest valid beginning ends there. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8Beginning(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

/** Whether the bytes are UTF-8, but for a character that is cut off at their end. */
function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
