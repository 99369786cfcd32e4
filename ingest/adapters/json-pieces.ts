// Builds the value of an outlined body from pieces that are parsed one by one: JSON.parse cannot be paused, and parsing eight megabytes at
// once would block all other work. Values without large containers are parsed whole.
import { parse as parseLossless } from 'lossless-json';
import { parseJson, setMember } from '../../core/json/parse-json.ts';
import { type ElementSpan, type JsonOutline, numberBlockBytes } from '../../core/json/scan.ts';
import { JsonNumber, type JsonValue } from '../../core/json/value.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { longTextIn } from './json-long-text.ts';

/** A piece is not JSON. The detail names the place in the body. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

type Span = { start: number; end: number };
type Members = { [name: string]: JsonValue };

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** The single value in `bytes`; elements for which `isUnread` holds are read as null. @throws NotJson */
export function parsingPieces(bytes: Uint8Array, outline: JsonOutline, isUnread?: IsUnread): Task<JsonValue> {
  return new JsonPieces(bytes, outline, isUnread).whole();
}

export type IsUnread = (element: ElementSpan) => boolean;

/** Receives the elements of a list, in order; returns whether it wants more of them. */
export type SeeElement = (element: JsonValue, index: number) => Task<boolean>;
type Keep = (element: JsonValue) => true;

/** Stand in for the list of elements, and for another list that was parsed but not kept. */
const leftOut: readonly JsonValue[] = [];
const letGo: readonly JsonValue[] = [];

const byteOrderMark = [0xef, 0xbb, 0xbf];
const nothing = new TextEncoder().encode('null');
const space = 0x20;

/** The list that `elements` reads. Other large lists are parsed and released, unless they are kept. */
type OwnList = { spans: readonly ElementSpan[]; keepsOthers: boolean };

/** The values of one body. */
export class JsonPieces {
  readonly #bytes: Uint8Array;
  readonly #outline: JsonOutline;
  /** By position, in order. */
  readonly #unread: readonly ElementSpan[];
  readonly #own: OwnList | null;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(bytes: Uint8Array, outline: JsonOutline, isUnread?: IsUnread, own: OwnList | null = null) {
    this.#bytes = bytes;
    this.#outline = outline;
    this.#unread = isUnread === undefined ? [] : unreadOf(outline, isUnread);
    this.#own = own;
  }

  /** The single value in the bytes. @throws NotJson */
  *whole(): Task<JsonValue> {
    const start = byteOrderMark.every((code, at) => this.#bytes[at] === code) ? byteOrderMark.length : 0;
    return yield* this.#value({ start, end: this.#bytes.length });
  }

  /**
   * Passes the elements of the list to `see`: those of `list`, if the list was so small that it was parsed with the whole. @throws NotJson
   */
  *elements(list: readonly JsonValue[], see: SeeElement): Task<void> {
    if (list === letGo) throw this.#notJson('a list has the name of another member', null);
    const own = list === leftOut ? this.#placeOfOwn() : null;
    if (own !== null) return yield* this.#entries(own.start, own.end, own.cuts, see);
    for (const [index, element] of list.entries()) if (!(yield* see(element, index))) return;
  }

  #placeOfOwn() {
    for (const [start, { elements }] of this.#outline.lists) {
      const container = this.#outline.large.get(start);
      if (elements === this.#own?.spans && container !== undefined) return { start, ...container };
    }
    return null;
  }

  *#value(around: Span): Task<JsonValue> {
    const { start, end } = this.#trimmed(around);
    const container = this.#outline.large.get(start);
    if (container === undefined) {
      yield;
      return this.#parse(start, '', end, '');
    }
    const isArray = this.#bytes[start] === openBracket;
    if (container.end !== end) throw this.#notJson('more stands behind the value', container.end);
    if (this.#bytes[end - 1] !== (isArray ? closeBracket : closeBrace))
      throw this.#notJson('another bracket closes it', end - 1);
    return isArray ? yield* this.#array(start, end, container.cuts) : yield* this.#object(start, end, container.cuts);
  }

  *#array(start: number, end: number, cuts: readonly number[]): Task<JsonValue> {
    const elements: JsonValue[] = [];
    const list = this.#own === null ? undefined : this.#outline.lists.get(start);
    if (list !== undefined && list.elements === this.#own?.spans) return leftOut;
    const isKept = list === undefined || this.#own?.keepsOthers === true;
    yield* this.#entries(start, end, cuts, (element: JsonValue): true => {
      if (isKept) elements.push(element);
      return true;
    });
    return isKept ? elements : letGo;
  }

  *#entries(start: number, end: number, cuts: readonly number[], see: SeeElement | Keep): Task<void> {
    let index = 0;
    for (const piece of this.#piecesOf(start, end, cuts)) {
      if (isEmpty(piece) && cuts.length === 0) return;
      if (this.#isLarge(piece)) {
        const wantsMore = see(yield* this.#value(piece), index);
        if (wantsMore !== true && !(yield* wantsMore)) return;
        index += 1;
        continue;
      }
      yield;
      const parsed = this.#parse(piece.start, '[', piece.end, ']') as JsonValue[];
      if (parsed.length === 0) throw this.#notJson('a value is missing', piece.start);
      for (const element of parsed) {
        const wantsMore = see(element, index);
        if (wantsMore !== true && !(yield* wantsMore)) return;
        index += 1;
      }
    }
  }

  /** Whether a piece is one container that is itself parsed in pieces. */
  #isLarge({ start, end }: Span): boolean {
    return this.#outline.large.get(start)?.end === end && this.#unread[this.#firstUnread(start)]?.start !== start;
  }

  *#object(start: number, end: number, cuts: readonly number[]): Task<JsonValue> {
    const members: Members = {};
    for (const piece of this.#piecesOf(start, end, cuts)) {
      if (isEmpty(piece) && cuts.length === 0) break;
      const at = this.#placeOfMember(piece);
      const text = at === null ? null : longTextIn(this.#bytes, at, piece.end);
      if (at !== null && (text !== null || this.#outline.large.get(at)?.end === piece.end)) {
        const name = this.#parse(piece.start, '{', at, '0}') as Members;
        const value = text ?? (yield* this.#value({ start: at, end: piece.end }));
        for (const each of Object.keys(name)) setMember(members, each, value);
        continue;
      }
      yield;
      const parsed = this.#parse(piece.start, '{', piece.end, '}') as Members;
      const names = Object.keys(parsed);
      if (names.length === 0) throw this.#notJson('a member is missing', piece.start);
      for (const name of names) setMember(members, name, parsed[name] as JsonValue);
    }
    return members;
  }

  /** The text between the cuts, without surrounding white space. */
  *#piecesOf(start: number, end: number, cuts: readonly number[]): Generator<Span> {
    let from = start + 1;
    for (const cut of [...cuts, end - 1]) {
      yield this.#trimmed({ start: from, end: cut });
      from = cut + 1;
    }
  }

  /** The position of the value of the first member of a piece; null if there is none. */
  #placeOfMember({ start, end }: Span): number | null {
    if (this.#bytes[start] !== quote) return null;
    let at = start + 1;
    while (at < end && this.#bytes[at] !== quote) at += this.#bytes[at] === backslash ? 2 : 1;
    at = this.#trimmed({ start: at + 1, end }).start;
    if (this.#bytes[at] !== colon) return null;
    return this.#trimmed({ start: at + 1, end }).start;
  }

  #trimmed({ start, end }: Span): Span {
    let [from, to] = [start, end];
    while (from < to && isSpace(this.#bytes[from])) from += 1;
    while (to > from && isSpace(this.#bytes[to - 1])) to -= 1;
    return { start: from, end: to };
  }

  #parse(start: number, before: string, end: number, behind: string): JsonValue {
    const text = before + this.#decoder.decode(this.#read(start, end)) + behind;
    try {
      return this.#hasLossyNumbers(start, end) ? parseNumbersAsText(text) : parseJson(text);
    } catch (error) {
      throw this.#described(text, error, start - before.length);
    }
  }

  /**
   * The bytes, with every unread element replaced by `null`, which is shorter. The length stays the same, unless the piece is a single
   * element.
   */
  #read(start: number, end: number): Uint8Array {
    let at = this.#firstUnread(start);
    const first = this.#unread[at];
    if (first === undefined || first.start >= end) return this.#bytes.subarray(start, end);
    if (first.start === start && first.end === end) return nothing;
    const copy = Uint8Array.from(this.#bytes.subarray(start, end));
    for (let each = this.#unread[at]; each !== undefined && each.start < end; each = this.#unread[at]) {
      copy.fill(space, each.start - start, each.end - start);
      copy.set(nothing, each.start - start);
      at += 1;
    }
    return copy;
  }

  /** The index of the first unread element at `place` or after it. */
  #firstUnread(place: number): number {
    let [from, to] = [0, this.#unread.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#unread[middle] as ElementSpan).start < place) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #hasLossyNumbers(start: number, end: number): boolean {
    const { lossyBlocks } = this.#outline;
    if (lossyBlocks.size === 0) return false;
    const last = Math.floor((end - 1) / numberBlockBytes);
    for (let block = Math.floor(start / numberBlockBytes); block <= last; block += 1)
      if (lossyBlocks.has(block)) return true;
    return false;
  }

  /** The fault and its place. JSON.parse does not always name the place; lossless-json does. */
  #described(text: string, error: unknown, textAt: number): NotJson {
    const described = positionIn(error) === null ? errorOfLossless(text) : error;
    const position = positionIn(described);
    const what = described instanceof Error ? described.message.slice(0, 200) : 'unreadable';
    return this.#notJson(what, position === null ? null : textAt + Buffer.byteLength(text.slice(0, position)));
  }

  #notJson(what: string, at: number | null): NotJson {
    return new NotJson(`not JSON${at === null ? '' : ` (${this.#placeOf(at)})`}: ${what}`);
  }

  #placeOf(position: number): string {
    let line = 1;
    let lineStart = 0;
    for (let at = this.#bytes.indexOf(0x0a); at !== -1 && at < position; at = this.#bytes.indexOf(0x0a, at + 1)) {
      line += 1;
      lineStart = at + 1;
    }
    const column = this.#decoder.decode(this.#bytes.subarray(lineStart, position)).length + 1;
    return `line ${line}, column ${column}`;
  }
}

/** Whether a container has nothing but white space in it. */
function isEmpty({ start, end }: Span): boolean {
  return start === end;
}

function unreadOf({ lists }: JsonOutline, isUnread: IsUnread): ElementSpan[] {
  const unread: ElementSpan[] = [];
  for (const { elements } of lists.values()) for (const each of elements) if (isUnread(each)) unread.push(each);
  return unread;
}

function parseNumbersAsText(text: string): JsonValue {
  return parseLossless(text, undefined, {
    parseNumber: (number) => new JsonNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as JsonValue;
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

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
