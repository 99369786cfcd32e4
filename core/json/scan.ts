// One linear pass over the bytes of a JSON body before it is parsed: how deep it nests (parsers recurse), where the elements of its lists
// are (their size is limited by docs/quotes.md, and their bytes go into dead letters), and whether all its numbers are plain. It does not
// check the syntax: its results are valid for bodies that then parse, and it skips anything else.
import type { Task } from '../scheduling/task.ts';
import { type LargeContainer, LargeContainers, pieceBytes } from './large-containers.ts';

/** Bytes [start, end) of one element; `tooDeep`: it nests deeper than allowed. */
export type ElementSpan = { start: number; end: number; tooDeep: boolean };

/** The offset after the last byte of a list, and its elements. */
type ListSpan = { end: number; elements: readonly ElementSpan[] };

export type JsonOutline = {
  /** Something outside the lists nests too deep: do not parse the body at all. */
  tooDeep: boolean;
  /** `String` reproduces the text of every number, so `JSON.parse` loses nothing. */
  plainNumbers: boolean;
  /** The blocks of `numberBlockBytes` bytes in which a number begins that is not plain. */
  lossyBlocks: ReadonlySet<number>;
  /** Elements of the body itself, if it is an array. */
  elements: readonly ElementSpan[];
  /** If it is an object: elements of its members that are arrays, by name. The last of equal names counts, as in JSON.parse. */
  members: ReadonlyMap<string, readonly ElementSpan[]>;
  /** All of these lists, including those replaced by another of the same name, by the offset of their opening bracket. */
  lists: ReadonlyMap<number, ListSpan>;
  /** Bytes outside of elements, not counting white space. */
  besideElements: number;
  /** Containers to parse in pieces, by the offset of their opening bracket. */
  large: ReadonlyMap<number, LargeContainer>;
};

export const numberBlockBytes = 4 * 1024;

/** Bytes scanned in one step. */
const stepBytes = 64 * 1024;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Outlines a body. An element may have `maxDepth` levels of containers, including itself, and so may the part outside of elements. Without
 * lists the whole body is one element.
 */
export function* scanningJson(
  bytes: Uint8Array,
  maxDepth: number,
  withLists: boolean,
  largestPiece = pieceBytes,
): Task<JsonOutline> {
  const large = new LargeContainers(largestPiece);
  const lossyBlocks = new Set<number>();
  let nextStep = stepBytes;
  const members = new Map<string, ElementSpan[]>();
  const rootElements: ElementSpan[] = [];
  const lists = new Map<number, { end: number; elements: ElementSpan[] }>();
  let list: { end: number; elements: ElementSpan[] } | null = null;
  let listDepth = 0;
  let besideElements = 0;
  let element: ElementSpan | null = null;
  let depth = 0;
  let rootIsObject = false;
  let tooDeep = false;
  let name = { start: 0, end: 0 };
  let at = 0;

  while (at < bytes.length) {
    if (at >= nextStep) {
      nextStep = at + stepBytes;
      yield;
    }
    const code = bytes[at] as number;
    if (isSpace(code) || code === colon) {
      at += 1;
      continue;
    }
    const from = at;
    if (code === comma) large.comma(depth, at);
    if (depth === listDepth && list !== null && (code === comma || code === closeBracket)) {
      element = null;
    } else if (element === null && list !== null) {
      element = { start: at, end: at, tooDeep: false };
      list.elements.push(element);
    }

    if (code === quote) {
      const end = endOfString(bytes, at);
      if (depth === 1) name = { start: at, end };
      at = end;
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      large.open(depth, at);
      if (!withLists) {
        // No list opens, so count the depth from the outermost container.
      } else if (depth === 1) {
        rootIsObject = code === openBrace;
        if (code === openBracket) list = { end: bytes.length, elements: rootElements };
        listDepth = 1;
        if (list !== null) lists.set(at, list);
      } else if (depth === 2 && rootIsObject && code === openBracket) {
        list = { end: bytes.length, elements: [] };
        listDepth = 2;
        lists.set(at, list);
        members.set(nameIn(bytes, name), list.elements);
      }
      if (depth > maxDepth + (element === null ? 0 : listDepth)) {
        if (element === null) tooDeep = true;
        else element.tooDeep = true;
      }
      at += 1;
    } else if (code === closeBrace || code === closeBracket) {
      if (list !== null && depth === listDepth) {
        list.end = at + 1;
        list = null;
      }
      large.close(depth, at);
      depth -= 1;
      at += 1;
    } else if (code === minus || isDigit(code)) {
      const end = endOfNumber(bytes, at);
      if (!isPlain(bytes, at, end)) lossyBlocks.add(Math.floor(at / numberBlockBytes));
      at = end;
    } else {
      at += 1;
    }
    if (element !== null) element.end = at;
    else besideElements += at - from;
  }
  const plainNumbers = lossyBlocks.size === 0;
  const elements = rootElements;
  return { tooDeep, plainNumbers, lossyBlocks, elements, members, lists, besideElements, large: large.found };
}

/** The offset after the closing quote of the string that opens at `start`, or the end of the body. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** The offset after the characters of a number. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && isOfNumber(bytes[at] as number)) at += 1;
  return at;
}

/**
 * Whether the number at [start, end) is an integer or a decimal that a double's shortest text reproduces: at most 15 digits in all and 6
 * after the point, no exponent, no trailing zero in a fraction, no `-0`. Decimals of up to 15 digits map to distinct doubles, so the
 * double's shortest text has the same digits; and from 0.000001 up to 10^21 ECMAScript writes no exponent.
 */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === minus ? start + 1 : start;
  if (end - first > 16) return false;
  let point = -1;
  for (let at = first; at < end; at += 1) {
    const code = bytes[at] as number;
    if (code === dot && point < 0) point = at;
    else if (!isDigit(code)) return false;
  }
  const digits = end - first - (point < 0 ? 0 : 1);
  if (digits > 15) return false;
  if (point < 0) return !(first > start && bytes[first] === zero);
  return end - point - 1 <= 6 && bytes[end - 1] !== zero;
}

/** The member name whose string is at `span`, unescaped; bytes that do not parse are returned as they are. */
function nameIn(bytes: Uint8Array, span: { start: number; end: number }): string {
  const text = new TextDecoder().decode(bytes.subarray(span.start, span.end));
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === dot || code === minus || code === 0x2b || code === 0x65 || code === 0x45;
}
