// Parses pushed JSON without losing a digit, and never at the price of a stack or of everybody else's turn: the body is outlined first,
// elements that nest too deep or are too large are read as `null`, and what is large is parsed in pieces. Of equal names in one object the
// last counts.
import { isUtf8 } from 'node:buffer';
import { type ElementSpan, type JsonOutline, scanningJson } from '../../core/json/scan.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { finish, type Steps } from '../../core/steps.ts';
import { NotJson, parsingPieces } from './json-pieces.ts';

/** Containers that may nest in one element of a push, unless its format says otherwise. */
const maxDepth = 32;

export type ParsedBody =
  | { kind: 'parsed'; value: JsonValue; outline: JsonOutline }
  | { kind: 'malformed'; detail: string };

/** What an element may have: containers that nest in it, and bytes. */
export type ElementBounds = { depth?: number; bytes?: number };

/** Parses a body of elements, in UTF-8 JSON. One beyond its bounds is null. The detail of a malformed body names the place. */
export function parsingJsonBody(bytes: Uint8Array, bounds: ElementBounds = {}): Steps<ParsedBody> {
  return parsingJson(bytes, bounds, true);
}

/** Parses bytes that are one element by themselves. */
export function parsingJsonElement(bytes: Uint8Array): Steps<ParsedBody> {
  return parsingJson(bytes, {}, false);
}

/** As `parsingJsonElement`, all at once. */
export function parseJsonElement(bytes: Uint8Array): ParsedBody {
  return finish(parsingJsonElement(bytes));
}

function* parsingJson(bytes: Uint8Array, bounds: ElementBounds, withLists: boolean): Steps<ParsedBody> {
  if (!isUtf8(bytes)) return { kind: 'malformed', detail: `not UTF-8 at byte ${firstInvalidByte(bytes)}` };
  const { depth = maxDepth, bytes: mostBytes = Number.POSITIVE_INFINITY } = bounds;
  const outline = yield* scanningJson(bytes, depth, withLists);
  if (outline.tooDeep) return { kind: 'malformed', detail: `nested deeper than ${depth} levels` };
  try {
    const value = yield* parsingPieces(...withoutUnread(bytes, outline, mostBytes));
    return { kind: 'parsed', value, outline };
  } catch (error) {
    if (error instanceof NotJson) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

/** The bytes with every element that is not read replaced by `null`, which is shorter than any such element. */
function withoutUnread(bytes: Uint8Array, outline: JsonOutline, mostBytes: number): [Uint8Array, JsonOutline] {
  const unread: ElementSpan[] = [];
  for (const elements of [outline.elements, ...outline.members.values()]) {
    for (const element of elements)
      if (element.tooDeep || element.end - element.start > mostBytes) unread.push(element);
  }
  if (unread.length === 0) return [bytes, outline];
  const copy = Uint8Array.from(bytes);
  const large = new Map(outline.large);
  for (const { start, end } of unread) {
    copy.fill(0x20, start, end);
    copy.set([0x6e, 0x75, 0x6c, 0x6c], start);
    large.delete(start);
  }
  return [copy, { ...outline, large }];
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
