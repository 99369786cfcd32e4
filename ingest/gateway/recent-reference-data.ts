// The teams, players and venues that this process has appended to the log recently. Bodies of MSF repeat them with every pull, and a
// reference that is already in the log need not be identified and appended again. Bounded in size and time: when an entry expires, changes
// that other processes have appended meanwhile are corrected.
import { LRUCache } from 'lru-cache';
import { canonicalSha256 } from '../../core/json/canonical.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { nameOf } from '../../core/reference/identify.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { WrittenReference } from '../adapters/msf-adapted.ts';

const most = 50_000;
const lifeMs = 10 * 60_000;

export class RecentReferenceData {
  readonly #contents = new LRUCache<string, string>({ max: most, ttl: lifeMs });

  /** The references that were not appended recently, or had other content then. */
  *missing(references: readonly WrittenReference[]): Task<NamedReference[]> {
    const missing: NamedReference[] = [];
    for (const [index, reference] of references.entries()) {
      if (index % referencesOfStep === referencesOfStep - 1) yield;
      const { name, content } = nameAndContentOf(reference);
      if (this.#contents.get(name) !== content) missing.push({ reference, name, content });
    }
    return missing;
  }

  note(appended: readonly NamedReference[]): void {
    for (const { name, content } of appended) this.#contents.set(name, content);
  }
}

/** A reference, and what is remembered about it once it is in the log. */
type NamedReference = { reference: WrittenReference; name: string; content: string };

const referencesOfStep = 64;

/** The content as a digest, or as the code of the refusal. */
function nameAndContentOf(reference: WrittenReference): { name: string; content: string } {
  if (reference.kind === 'refused') return { name: canonicalSha256(reference.text), content: reference.refusal.code };
  const { element } = reference;
  const name = nameOf(element.kind, element.league, element.sourceId);
  return { name, content: canonicalSha256(element as unknown as JsonValue) };
}
