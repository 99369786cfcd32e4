// JSON as written. A number keeps its text: either as a JsonNumber, or as a JavaScript number whose decimal text is exactly the same, so
// neither form loses anything. Objects may have any own key (including `__proto__`), so read members with `memberOf`; `null` and absent are
// equivalent (docs/quotes.md).

/** A number as text of JSON's grammar. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | string | number | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue };

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The member `name`; null if absent. */
export function memberOf(object: JsonObject, name: string): JsonValue {
  return Object.hasOwn(object, name) ? (object[name] as JsonValue) : null;
}

/** The text of a number as written; null for anything else. */
export function numberText(value: JsonValue): string | null {
  if (typeof value === 'number') return String(value);
  return value instanceof JsonNumber ? value.text : null;
}

/** The name of a value's kind, for messages; reveals nothing of the value itself. */
export function kindOf(value: JsonValue): 'null' | 'boolean' | 'string' | 'number' | 'array' | 'object' {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value as 'boolean' | 'string' | 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof JsonNumber ? 'number' : 'object';
}
