// Reads the element of a record as JSON, from its text or from the bytes of the object that it refers to. Trusts neither: text that is not
// JSON, nests too deep, or differs from what the record says is `bad-element`.
import { createHash } from 'node:crypto';
import type { MsfObservation } from '../../../schemas/events/observations.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { MsfRefusal } from './frame.ts';

type ReadElement = { kind: 'read'; element: JsonObject } | { kind: 'refused'; refusal: MsfRefusal };

/** The depth that a pushed body may have. */
const maxDepth = 32;

/** The element of an observation; `attached`: the bytes of the object that it refers to, or null if they are unavailable. */
export function readElement(observation: MsfObservation, attached: Uint8Array | null): ReadElement {
  const text = observation.element ?? heldText(observation, attached);
  if (text === null)
    return bad('/observation/held', 'the object is not there, or is not the one that the record names');
  const value = parsed(text);
  if (value === undefined || !isJsonObject(value)) return bad('/observation/element', 'no JSON object');
  if (!nestsWithin(value, maxDepth)) return bad('/observation/element', `nested deeper than ${maxDepth} levels`);
  return { kind: 'read', element: value };
}

function heldText({ held }: MsfObservation, attached: Uint8Array | null): string | null {
  if (held === null || attached === null) return null;
  if (createHash('sha256').update(attached).digest('hex') !== held.sha256) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(attached);
  } catch {
    return null;
  }
}

/** A number becomes the nearest double, which is all that RFC 8785 keeps. */
function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Expects values from JSON.parse: their objects have no inherited members. */
function nestsWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (isJsonArray(value)) return value.every((each) => nestsWithin(each, levels - 1));
  for (const name in value as JsonObject) {
    const member = (value as JsonObject)[name] as JsonValue;
    if (typeof member === 'object' && !nestsWithin(member, levels - 1)) return false;
  }
  return true;
}

function bad(pointer: string, detail: string): ReadElement {
  return { kind: 'refused', refusal: { code: 'bad-element', pointer, detail } };
}
