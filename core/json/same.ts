// Whether two results of JSON.parse are identical. Most of a repeated body is, and comparing costs a fraction of serialising it. Recursive:
// callers bound the depth.
import type { JsonValue } from './value.ts';

type Members = { readonly [name: string]: JsonValue };

/** Compares pairs of values, one after another. */
export class JsonComparer {
  /**
   * Names and values of the objects being compared. Avoids member look-ups: with ever-changing names, the engine would recompile them again
   * and again.
   */
  readonly #stack: unknown[] = [];
  #top = 0;

  /** Whether both are the same JSON with their members in the same order. */
  isSame(a: JsonValue, b: JsonValue): boolean {
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && this.#areSameLists(a, b);
    return this.#areSameMembers(a as Members, b as Members);
  }

  #areSameLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at += 1) if (!this.isSame(a[at] as JsonValue, b[at] as JsonValue)) return false;
    return true;
  }

  #areSameMembers(a: Members, b: Members): boolean {
    const stack = this.#stack;
    const start = this.#top;
    let end = start;
    for (const name in a) {
      stack[end] = name;
      stack[end + 1] = a[name];
      end += 2;
    }
    this.#top = end;
    let at = start;
    for (const name in b) {
      if (at === end || stack[at] !== name || !this.isSame(stack[at + 1] as JsonValue, b[name] as JsonValue)) {
        at = -1;
        break;
      }
      at += 2;
    }
    this.#top = start;
    return at === end;
  }
}
