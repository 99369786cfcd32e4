// Parses pushed JSON without losing a digit, without deep recursion and without blocking other work. The body is outlined first; elements
// that nest too deep or are too large are read as `null`, and large values are parsed in pieces. If an object has equal names, the last one
// counts.
import { isUtf8 } from 'node:buffer';
import { type ElementSpan, type JsonOutline, scanningJson } from '../../core/json/scan.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { runToEnd, type Task } from '../../core/scheduling/task.ts';
import { type IsUnread, JsonPieces, NotJson, parsingPieces, type SeeElement } from './json-pieces.ts';

/** Levels of containers in one element of a push, unless its format says otherwise. */
const maxDepth = 32;

export type ParsedBody =
  | { kind: 'parsed'; value: JsonValue; outline: JsonOutline }
  | { kind: 'malformed'; detail: string };

/** The limits of an element: levels of containers, and bytes. */
type ElementBounds = { depth?: number; bytes?: number };

/** `keepsBeside`: keeps everything outside the elements, whatever its size; otherwise its size is limited. */
type BodyBounds = ElementBounds & { keepsBeside?: boolean };

/** Parses a body of elements, in UTF-8 JSON. An element beyond its limits is null. The detail of a malformed body names the place. */
export function parsingJsonBody(bytes: Uint8Array, bounds: ElementBounds = {}): Task<ParsedBody> {
  return parsingJson(bytes, bounds, true);
}

/** Parses bytes that are a single element. */
export function parsingJsonElement(bytes: Uint8Array): Task<ParsedBody> {
  return parsingJson(bytes, {}, false);
}

/** `parsingJsonElement` without steps. */
export function parseJsonElement(bytes: Uint8Array): ParsedBody {
  return runToEnd(parsingJsonElement(bytes));
}

/** A body whose list of elements is not read yet; in `value` the list may be empty. */
export type OpenedBody =
  | {
      kind: 'opened';
      value: JsonValue;
      /** The name of the member that is the list, unless a later member has the same name; undefined: the body itself is the list. */
      name: string | undefined;
      outline: JsonOutline;
      /** The positions of the list's elements. */
      spans: readonly ElementSpan[];
      /** Parses the elements of `list`, the list in `value`, one by one, so that none has to be kept. @throws NotJson */
      elements(list: readonly JsonValue[], see: SeeElement): Task<void>;
    }
  | { kind: 'malformed'; detail: string };

/** Outside its elements a body usually has some hundred bytes, not counting white space. */
const mostBytesBeside = 256 * 1024;

/**
 * Parses everything around the list of elements, which is the first of these members that is an array, otherwise the body itself. Other
 * lists are not kept, unless everything outside is.
 */
export function* openingJsonBody(
  bytes: Uint8Array,
  names: readonly string[],
  { keepsBeside = false, ...bounds }: BodyBounds,
): Task<OpenedBody> {
  const outlined = yield* outlining(bytes, bounds, true);
  if (outlined.kind === 'malformed') return outlined;
  const { outline, isUnread } = outlined;
  if (!keepsBeside && outline.besideElements > mostBytesBeside)
    return { kind: 'malformed', detail: `more than ${mostBytesBeside} bytes stand beside the elements of the body` };
  const name = names.find((each) => outline.members.has(each));
  const spans = (name === undefined ? null : outline.members.get(name)) ?? outline.elements;
  const pieces = new JsonPieces(bytes, outline, isUnread, { spans, keepsOthers: keepsBeside });
  const whole = yield* unlessNotJson(pieces.whole());
  if (whole.kind === 'malformed') return whole;
  return {
    kind: 'opened',
    value: whole.value,
    name,
    outline,
    spans,
    elements: (list, see) => pieces.elements(list, see),
  };
}

/** The result of the steps, or why the bytes are not JSON. */
export function* unlessNotJson<Value>(
  steps: Task<Value>,
): Task<{ kind: 'read'; value: Value } | { kind: 'malformed'; detail: string }> {
  try {
    return { kind: 'read', value: yield* steps };
  } catch (error) {
    if (error instanceof NotJson) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

function* parsingJson(bytes: Uint8Array, bounds: ElementBounds, withLists: boolean): Task<ParsedBody> {
  const outlined = yield* outlining(bytes, bounds, withLists);
  if (outlined.kind === 'malformed') return outlined;
  const { outline, isUnread } = outlined;
  const read = yield* unlessNotJson(parsingPieces(bytes, outline, isUnread));
  return read.kind === 'malformed' ? read : { kind: 'parsed', value: read.value, outline };
}

type Outlined = { kind: 'outlined'; outline: JsonOutline; isUnread: IsUnread } | { kind: 'malformed'; detail: string };

function* outlining(bytes: Uint8Array, bounds: ElementBounds, withLists: boolean): Task<Outlined> {
  if (!isUtf8(bytes)) return { kind: 'malformed', detail: `not UTF-8 at byte ${firstInvalidByte(bytes)}` };
  const { depth = maxDepth, bytes: most = Number.POSITIVE_INFINITY } = bounds;
  const outline = yield* scanningJson(bytes, depth, withLists);
  if (outline.tooDeep) return { kind: 'malformed', detail: `nested deeper than ${depth} levels` };
  return { kind: 'outlined', outline, isUnread: ({ start, end, tooDeep }) => tooDeep || end - start > most };
}

/** Offset of the first byte that is not UTF-8: the end of the longest valid prefix. */
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

/** Whether the bytes are UTF-8, except for a character cut off at the end. */
function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
