// JSON values as text again, their numbers as they were written.
import { stringify } from 'lossless-json';
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '../../core/json/value.ts';
import type { Steps } from '../../core/steps.ts';

const numbers = {
  test: (value: unknown): boolean => value instanceof JsonNumber,
  stringify: (value: unknown): string => (value as JsonNumber).text,
};

/** The text of a value, without white space. `plain`: it holds no JsonNumber, as far as the caller knows. */
export function jsonText(value: JsonValue, plain = false): string {
  return plain ? JSON.stringify(value) : (stringify(value, undefined, undefined, [numbers]) ?? '');
}

/** Levels of a body that are written member by member: below them stand the entries of its lists. */
const levelsOfBody = 4;

/** As `jsonText`, in steps. */
export function* writingJson(value: JsonValue, plain: boolean, levels = levelsOfBody): Steps<string> {
  if (levels === 0 || (!isJsonArray(value) && !isJsonObject(value))) return jsonText(value, plain);
  const pieces: string[] = [];
  if (isJsonArray(value)) {
    for (const element of value) {
      pieces.push(yield* writingJson(element, plain, levels - 1));
      yield;
    }
    return `[${pieces.join(',')}]`;
  }
  for (const [name, member] of Object.entries(value)) {
    pieces.push(`${JSON.stringify(name)}:${yield* writingJson(member, plain, levels - 1)}`);
    yield;
  }
  return `{${pieces.join(',')}}`;
}
