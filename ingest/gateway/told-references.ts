// What this process has told of teams, players and venues lately: bodies of MSF repeat theirs with every pull, and what was told already need
// not be identified and logged again. Bounded in size and in time, so that what another process told meanwhile is put right again.
import { LRUCache } from 'lru-cache';
import { canonicalSha256 } from '../../core/json/canonical.ts';
import type { JsonValue } from '../../core/json/value.ts';
import type { MsfReference } from '../../core/msf/bodies/references.ts';
import { nameOf } from '../../core/reference/identify.ts';

const most = 50_000;
const lifeMs = 10 * 60_000;

export class ToldReferences {
  readonly #told = new LRUCache<string, string>({ max: most, ttl: lifeMs });

  /** Those that have not been told, or otherwise. */
  untold(references: readonly MsfReference[]): MsfReference[] {
    return references.filter((each) => {
      const { name, words } = wordsOf(each);
      return this.#told.get(name) !== words;
    });
  }

  note(references: readonly MsfReference[]): void {
    for (const each of references) {
      const { name, words } = wordsOf(each);
      this.#told.set(name, words);
    }
  }
}

function wordsOf(reference: MsfReference): { name: string; words: string } {
  if (reference.kind === 'refused') return { name: canonicalSha256(reference.value), words: reference.refusal.code };
  const { element } = reference;
  const name = nameOf(element.kind, element.league, element.sourceId);
  return { name, words: canonicalSha256(element as unknown as JsonValue) };
}
