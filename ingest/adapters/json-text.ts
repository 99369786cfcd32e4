// JSON values as text again, their numbers as they were written.
import { stringify } from 'lossless-json';
import { JsonNumber, type JsonValue } from '../../core/json/value.ts';

const numbers = {
  test: (value: unknown): boolean => value instanceof JsonNumber,
  stringify: (value: unknown): string => (value as JsonNumber).text,
};

/** The text of a value, without white space. `plain`: it holds no JsonNumber, as far as the caller knows. */
export function jsonText(value: JsonValue, plain = false): string {
  return plain ? JSON.stringify(value) : (stringify(value, undefined, undefined, [numbers]) ?? '');
}
