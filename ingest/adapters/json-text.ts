// Writes JSON values as text, with their numbers as they were written.
import { stringify } from 'lossless-json';
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '../../core/json/value.ts';
import type { Task } from '../../core/scheduling/task.ts';

const numbers = {
  test: (value: unknown): boolean => value instanceof JsonNumber,
  stringify: (value: unknown): string => (value as JsonNumber).text,
};

/** The text of a value, without white space. `plain`: it contains no JsonNumber, as far as the caller knows. */
export function jsonText(value: JsonValue, plain = false): string {
  return plain ? JSON.stringify(value) : (stringify(value, undefined, undefined, [numbers]) ?? '');
}

/** Levels of a body that are written member by member; the entries of its lists are below them. */
const levelsOfBody = 4;

/** A short text is a string; a long one is kept outside the heap, in UTF-8. */
export type WrittenJson = string | Uint8Array;

/** `jsonText` in steps. */
export function* writingJson(value: JsonValue, plain: boolean): Task<WrittenJson> {
  const text = new LongText();
  yield* writing(value, plain, levelsOfBody, text);
  return text.written();
}

/** The concatenation of texts. */
export function joinedJson(texts: Iterable<string>): WrittenJson {
  const text = new LongText();
  for (const each of texts) text.add(each);
  return text.written();
}

function* writing(value: JsonValue, plain: boolean, levels: number, text: LongText): Task<void> {
  const isArray = isJsonArray(value);
  if (typeof value === 'string' && value.length > pieceLength) {
    yield* writingLong(value, text);
    return;
  }
  if (levels === 0 || (!isArray && !isJsonObject(value))) {
    text.add(jsonText(value, plain));
    return;
  }
  text.add(isArray ? '[' : '{');
  let before = '';
  for (const name of isArray ? value.keys() : Object.keys(value)) {
    text.add(typeof name === 'number' ? before : `${before}${JSON.stringify(name)}:`);
    yield* writing((value as Members)[name] as JsonValue, plain, levels - 1, text);
    before = ',';
    yield;
  }
  text.add(isArray ? ']' : '}');
}

/** Written piece by piece: the whole string would be on the heap a second time. */
function* writingLong(value: string, text: LongText): Task<void> {
  text.add('"');
  for (let at = 0; at < value.length; ) {
    const end = endOfPiece(value, at);
    text.add(JSON.stringify(value.slice(at, end)).slice(1, -1));
    at = end;
    yield;
  }
  text.add('"');
}

type Members = { readonly [name: string | number]: JsonValue };

/** Characters encoded at a time. */
const pieceLength = 128 * 1024;

/** A growing text that is kept outside the heap once it is long. */
class LongText {
  readonly #pieces: Buffer<ArrayBuffer>[] = [];
  #size = 0;
  #rest = '';

  add(text: string): void {
    if (this.#rest.length + text.length < pieceLength) {
      this.#rest += text;
      return;
    }
    this.#encode(this.#rest);
    this.#rest = '';
    for (let at = 0; at < text.length; ) {
      const end = endOfPiece(text, at);
      this.#encode(text.slice(at, end));
      at = end;
    }
  }

  written(): WrittenJson {
    if (this.#pieces.length === 0) return this.#rest;
    this.#encode(this.#rest);
    const whole = Buffer.allocUnsafeSlow(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
      // Released at once, so that the text is never held twice.
      if (piece.buffer.byteLength === piece.length) piece.buffer.transfer(0);
    }
    return whole;
  }

  #encode(text: string): void {
    const piece = Buffer.from(text);
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
}

/** The end of the piece that begins at `start`; never inside a character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(start + pieceLength, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
