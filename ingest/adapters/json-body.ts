// Parses pushed JSON without losing a digit, without deep recursion and without holding up other work: the body is outlined first,
// elements that nest too deep or are too large are read as `null`, and what is large is parsed in pieces. Of equal names in one object the
// last counts.
import { isUtf8 } from 'node:buffer';
import { type ElementSpan, type JsonOutline, scanningJson } from '../../core/json/scan.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { finish, type Steps } from '../../core/steps.ts';
import { type IsUnread, JsonPieces, NotJson, parsingPieces, type SeeElement } from './json-pieces.ts';

/** Containers that may nest in one element of a push, unless its format says otherwise. */
const maxDepth = 32;

export type ParsedBody =
  | { kind: 'parsed'; value: JsonValue; outline: JsonOutline }
  | { kind: 'malformed'; detail: string };

/** What an element may have: containers that nest in it, and bytes. */
type ElementBounds = { depth?: number; bytes?: number };

/** `keepsBeside`: what stands beside the elements is kept whole, however much it is; else there is a bound. */
type BodyBounds = ElementBounds & { keepsBeside?: boolean };

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

/** A body whose own list is still to be read: `value` may hold it empty. */
export type OpenedBody =
  | {
      kind: 'opened';
      value: JsonValue;
      /** The member that the list is, unless one of the same name stands behind it; undefined: the body itself. */
      name: string | undefined;
      outline: JsonOutline;
      /** Where the elements of the list stand. */
      spans: readonly ElementSpan[];
      /** Parses the elements of `list`, as `value` holds it, one by one, so that none has to be kept. @throws NotJson */
      elements(list: readonly JsonValue[], see: SeeElement): Steps<void>;
    }
  | { kind: 'malformed'; detail: string };

/** What stands in a body beside its elements is some hundred bytes, white space aside. */
const mostBytesBeside = 256 * 1024;

/**
 * Parses what stands around the list of elements: the first of these members that is one, else the body itself. Nothing is kept of its other
 * lists, unless all beside is kept.
 */
export function* openingJsonBody(
  bytes: Uint8Array,
  names: readonly string[],
  { keepsBeside = false, ...bounds }: BodyBounds,
): Steps<OpenedBody> {
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

/** What the steps give, or why what they read is no JSON. */
export function* unlessNotJson<Value>(
  steps: Steps<Value>,
): Steps<{ kind: 'read'; value: Value } | { kind: 'malformed'; detail: string }> {
  try {
    return { kind: 'read', value: yield* steps };
  } catch (error) {
    if (error instanceof NotJson) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

function* parsingJson(bytes: Uint8Array, bounds: ElementBounds, withLists: boolean): Steps<ParsedBody> {
  const outlined = yield* outlining(bytes, bounds, withLists);
  if (outlined.kind === 'malformed') return outlined;
  const { outline, isUnread } = outlined;
  const read = yield* unlessNotJson(parsingPieces(bytes, outline, isUnread));
  return read.kind === 'malformed' ? read : { kind: 'parsed', value: read.value, outline };
}

type Outlined = { kind: 'outlined'; outline: JsonOutline; isUnread: IsUnread } | { kind: 'malformed'; detail: string };

function* outlining(bytes: Uint8Array, bounds: ElementBounds, withLists: boolean): Steps<Outlined> {
  if (!isUtf8(bytes)) return { kind: 'malformed', detail: `not UTF-8 at byte ${firstInvalidByte(bytes)}` };
  const { depth = maxDepth, bytes: most = Number.POSITIVE_INFINITY } = bounds;
  const outline = yield* scanningJson(bytes, depth, withLists);
  if (outline.tooDeep) return { kind: 'malformed', detail: `nested deeper than ${depth} levels` };
  return { kind: 'outlined', outline, isUnread: ({ start, end, tooDeep }) => tooDeep || end - start > most };
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
