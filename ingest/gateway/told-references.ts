// What this process has told of teams, players and venues lately: bodies of MSF repeat theirs with every pull, and what was told already need
// not be identified and logged again. Bounded in size and in time, so that what another process told meanwhile is put right again.
import { LRUCache } from 'lru-cache';
import { canonicalSha256 } from '../../core/json/canonical.ts';
import type { JsonValue } from '../../core/json/value.ts';
import type { MsfReference } from '../../core/msf/bodies/references.ts';
import { nameOf } from '../../core/reference/identify.ts';
import type { Steps } from '../../core/steps.ts';

const most = 50_000;
const lifeMs = 10 * 60_000;

export class ToldReferences {
  readonly #told = new LRUCache<string, string>({ max: most, ttl: lifeMs });

  /** Those that have not been told, or otherwise. */
  *untold(references: readonly MsfReference[]): Steps<Untold[]> {
    const untold: Untold[] = [];
    for (const [index, reference] of references.entries()) {
      if (index % referencesOfStep === referencesOfStep - 1) yield;
      const { name, words } = wordsOf(reference);
      if (this.#told.get(name) !== words) untold.push({ reference, name, words });
    }
    return untold;
  }

  note(told: readonly Untold[]): void {
    for (const { name, words } of told) this.#told.set(name, words);
  }
}

/** A reference, and what is remembered of it once it is in the log. */
export type Untold = { reference: MsfReference; name: string; words: string };

const referencesOfStep = 64;

function wordsOf(reference: MsfReference): { name: string; words: string } {
  if (reference.kind === 'refused') return { name: canonicalSha256(reference.value), words: reference.refusal.code };
  const { element } = reference;
  const name = nameOf(element.kind, element.league, element.sourceId);
  return { name, words: canonicalSha256(element as unknown as JsonValue) };
}
