// Counts the contents of a JSON body byte by byte before it is parsed. Takes pieces of any size, so that inflating can stop as soon as the
// body is too large. It does not check the syntax: its results are valid for bodies that then parse.

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const newline = 0x0a;
const lastSpace = 0x20;

/**
 * `json`: counts the elements of the outermost array, or of the arrays that are members of the outermost object. `ndjson`: each line counts
 * as one.
 */
export class ValueCount {
  /** Commas and opening brackets: a body has at most one value more than these. */
  separators = 0;
  elements = 0;
  /** Lists whose elements are counted: the reader of a body keeps each of them separately. */
  lists = 0;
  readonly #inLines: boolean;
  #inString = false;
  #escaped = false;
  #depth = 0;
  #rootIsObject = false;
  /** The depth of the list whose elements are counted; -1 outside of any. */
  #listDepth = -1;
  /** The next value at the depth of the list is a new element. */
  #isBefore: boolean;

  constructor(form: 'json' | 'ndjson') {
    this.#inLines = form === 'ndjson';
    this.#isBefore = this.#inLines;
  }

  add(piece: Uint8Array): void {
    let at = this.#escaped && !this.#endsLine(piece[0]) ? 1 : 0;
    if (piece.length > 0) this.#escaped = false;
    while (at < piece.length) {
      if (this.#inString) {
        at = this.#endOfString(piece, at);
        continue;
      }
      const code = piece[at] as number;
      at += 1;
      if (code <= lastSpace) {
        if (code === newline && this.#inLines) this.#isBefore = true;
        continue;
      }
      if (this.#isBefore && (this.#inLines || this.#depth === this.#listDepth) && code !== closeBracket) {
        this.#isBefore = false;
        this.elements += 1;
      }
      if (code === quote) this.#inString = true;
      else if (code === comma) {
        this.separators += 1;
        if (this.#depth === this.#listDepth && !this.#inLines) this.#isBefore = true;
      } else if (code === openBracket || code === openBrace) {
        this.separators += 1;
        this.#open(code);
      } else if (code === closeBracket || code === closeBrace) this.#close();
    }
  }

  /** The offset after the string, or the end of the piece. */
  #endOfString(piece: Uint8Array, from: number): number {
    let at = from;
    while (at < piece.length) {
      const code = piece[at] as number;
      if (code === quote) {
        this.#inString = false;
        return at + 1;
      }
      if (this.#endsLine(code)) {
        // A string does not continue on the next line.
        this.#inString = false;
        return at;
      }
      at += code === backslash && !this.#endsLine(piece[at + 1]) ? 2 : 1;
    }
    this.#escaped = at > piece.length;
    return at;
  }

  #endsLine(code: number | undefined): boolean {
    return code === newline && this.#inLines;
  }

  #open(code: number): void {
    this.#depth += 1;
    if (this.#inLines) return;
    if (this.#depth === 1) this.#rootIsObject = code === openBrace;
    const isList = code === openBracket && (this.#depth === 1 || (this.#depth === 2 && this.#rootIsObject));
    if (!isList) return;
    this.lists += 1;
    this.#listDepth = this.#depth;
    this.#isBefore = true;
  }

  #close(): void {
    if (this.#depth === this.#listDepth) {
      this.#listDepth = -1;
      this.#isBefore = false;
    }
    this.#depth -= 1;
  }
}
