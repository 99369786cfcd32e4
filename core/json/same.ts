// Whether two results of JSON.parse are identical. Most of a repeated body is, and comparing costs a fraction of serialising it. Recursive:
// callers bound the depth.
import type { JsonValue } from './value.ts';

/**
 * Names and values of the objects being compared. Avoids member look-ups: with ever-changing names, the engine would recompile them again
 * and again.
 */
const stack: unknown[] = [];
let top = 0;

/** Whether both are the same JSON with their members in the same order. */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && areSameLists(a, b);
  return areSameMembers(a as Members, b as Members);
}

type Members = { readonly [name: string]: JsonValue };

function areSameLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!isSameJson(a[at] as JsonValue, b[at] as JsonValue)) return false;
  return true;
}

function areSameMembers(a: Members, b: Members): boolean {
  const start = top;
  for (const name in a) {
    stack[top] = name;
    stack[top + 1] = a[name];
    top += 2;
  }
  const end = top;
  let at = start;
  for (const name in b) {
    if (at === end || stack[at] !== name || !isSameJson(stack[at + 1] as JsonValue, b[name] as JsonValue)) {
      at = -1;
      break;
    }
    at += 2;
  }
  top = start;
  return at === end;
}
