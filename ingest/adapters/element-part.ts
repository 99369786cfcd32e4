// The part of an element that a refusal is about, as JSON of its own: the innermost list entry around what the pointer names — a quote,
// or an operator with all of its quotes.
import { isJsonArray, isJsonObject, type JsonValue, memberOf } from '../../core/json/value.ts';
import { parseJsonElement } from './json-body.ts';
import { jsonText } from './json-text.ts';

/** Parts of the element in `bytes` by pointer. It is read once, when the first is asked for. */
export function partsOf(bytes: Uint8Array): (pointer: string) => Uint8Array {
  let element: JsonValue | undefined;
  return (pointer) => {
    element ??= read(bytes);
    const part = innermostEntry(element, pointer);
    return part === null ? bytes : new TextEncoder().encode(jsonText(part));
  };
}

function read(bytes: Uint8Array): JsonValue {
  const parsed = parseJsonElement(bytes);
  return parsed.kind === 'parsed' ? parsed.value : null;
}

function innermostEntry(element: JsonValue, pointer: string): JsonValue {
  let entry: JsonValue = null;
  let value: JsonValue = element;
  for (const token of pointer.split('/').slice(1)) {
    if (isJsonArray(value)) {
      value = value[Number(token)] ?? null;
      entry = value;
    } else if (isJsonObject(value)) value = memberOf(value, token);
  }
  return entry;
}
