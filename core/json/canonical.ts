// RFC 8785, the canonical form of a JSON value: members ordered by the UTF-16 units of their names, numbers as ECMAScript writes the
// nearest double, no white space. Defined even where the RFC is not: a number beyond the range of doubles is written as `null` and a lone
// surrogate as its escape (as JSON.stringify does), so that every element that can be read has a digest. Recursive: callers bound the depth
// before they parse (`scanningJson`).
import { createHash, hash } from 'node:crypto';
import type { Task } from '../scheduling/task.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './value.ts';

/** The canonical text of `value`. */
export function canonicalJson(value: JsonValue): string {
  const ordered = inOrder(value);
  return ordered === undefined ? written(value) : JSON.stringify(ordered);
}

/** SHA-256 (hex) of the canonical text in UTF-8. */
export function canonicalSha256(value: JsonValue): string {
  return hash('sha256', canonicalJson(value));
}

/** `canonicalSha256` in steps, for values whose text is too large to be made at once. */
export function* hashingCanonical(value: JsonValue): Task<string> {
  const hashed = new HashedText();
  yield* writing(value, hashed);
  return hashed.sha256();
}

/** Text that is hashed as it grows. */
class HashedText {
  readonly #hash = createHash('sha256');
  #text = '';

  /** Adds a piece. Returns whether enough was hashed since the last step to let other work run. */
  add(piece: string): boolean {
    this.#text += piece;
    if (this.#text.length < hashedAtOnce) return false;
    this.#hash.update(this.#text, 'utf8');
    this.#text = '';
    return true;
  }

  sha256(): string {
    return this.#hash.update(this.#text, 'utf8').digest('hex');
  }
}

const hashedAtOnce = 16 * 1024;

function* writing(value: JsonValue, text: HashedText): Task<void> {
  if (isFlat(value)) {
    if (text.add(canonicalJson(value))) yield;
    return;
  }
  const isArray = Array.isArray(value);
  let before = isArray ? '[' : '{';
  for (const name of isArray ? value.keys() : sortedNames(value as JsonObject)) {
    if (text.add(typeof name === 'number' ? before : `${before}${JSON.stringify(name)}:`)) yield;
    yield* writing((value as { [name: string | number]: JsonValue })[name] as JsonValue, text);
    before = ',';
  }
  text.add(isArray ? ']' : '}');
}

/** Whether a value is a scalar, or holds only a few scalars. */
function isFlat(value: JsonValue): boolean {
  if (isScalar(value)) return true;
  const inside = Array.isArray(value) ? value : Object.values(value as JsonObject);
  return inside.length <= fewNames && inside.every(isScalar);
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || value instanceof JsonNumber;
}

type Ordered = null | boolean | string | number | Ordered[] | { [name: string]: Ordered };

/**
 * The value with all members in canonical order; JSON.stringify then writes it several times faster than joining strings does. Undefined if
 * an object cannot hold its members in that order.
 */
function inOrder(value: JsonValue): Ordered | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) {
    const elements: Ordered[] = [];
    for (const element of value) {
      const ordered = inOrder(element);
      if (ordered === undefined) return undefined;
      elements.push(ordered);
    }
    return elements;
  }
  const members: { [name: string]: Ordered } = {};
  for (const name of sortedNames(value as JsonObject)) {
    const ordered = isMoved(name) ? undefined : inOrder((value as JsonObject)[name] as JsonValue);
    if (ordered === undefined) return undefined;
    members[name] = ordered;
  }
  return members;
}

/** Whether an object moves this name before all others (array indices, which begin with a digit) or treats it specially (`__proto__`). */
function isMoved(name: string): boolean {
  const first = name.charCodeAt(0);
  return (first >= zero && first <= nine) || name === '__proto__';
}

const zero = 0x30;
const nine = 0x39;

/** Up to this many names insertion sort is faster; beyond it is quadratic. */
const fewNames = 24;

function sortedNames(object: JsonObject): readonly string[] {
  const names = Object.keys(object);
  if (names.length > fewNames) return names.sort();
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] as string;
    let to = at;
    for (; to > 0 && (names[to - 1] as string) > name; to -= 1) names[to] = names[to - 1] as string;
    names[to] = name;
  }
  return names;
}

/** The canonical text, joined member by member. */
function written(value: JsonValue): string {
  if (value instanceof JsonNumber) return JSON.stringify(Number(value.text));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const members = sortedNames(value as JsonObject).map(
    (name) => `${JSON.stringify(name)}:${written((value as JsonObject)[name] as JsonValue)}`,
  );
  return `{${members.join(',')}}`;
}
