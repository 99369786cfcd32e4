// RFC 8785, the canonical form of a JSON value: members in the order of their UTF-16 names, numbers as ECMAScript writes the
// double nearest to them, no white space. Total where the RFC is not: a number beyond the doubles is written as `null` and a
// lone surrogate as its escape (both as JSON.stringify does), so that every element that can be read has a digest.
// Recursive: callers bound the depth before they parse (`scanJson`).
import { createHash } from 'node:crypto';
import { JsonNumber, type JsonObject, type JsonValue } from './value.ts';

/** The canonical text of `value`. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return JSON.stringify(Number(value.text));
  if (Array.isArray(value)) return canonicalArray(value);
  return canonicalObject(value as JsonObject);
}

/** SHA-256 (hex) of the canonical text in UTF-8. */
export function canonicalSha256(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex');
}

function canonicalArray(array: readonly JsonValue[]): string {
  let text = '[';
  for (let index = 0; index < array.length; index += 1) {
    if (index > 0) text += ',';
    text += canonicalJson(array[index] as JsonValue);
  }
  return `${text}]`;
}

function canonicalObject(object: JsonObject): string {
  let text = '{';
  for (const name of Object.keys(object).sort()) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(name)}:${canonicalJson(object[name] as JsonValue)}`;
  }
  return `${text}}`;
}
