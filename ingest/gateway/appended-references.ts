// The teams, players and venues that this process appended to the log lately. Bodies of MSF repeat theirs with every pull, and a reference that
// is in the log already need not be identified and appended again. Bounded in size and in time: what another process appended in the meantime
// is put right when an entry expires.
import { LRUCache } from 'lru-cache';
import { canonicalSha256 } from '../../core/json/canonical.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { nameOf } from '../../core/reference/identify.ts';
import type { Steps } from '../../core/steps.ts';
import type { WrittenReference } from '../adapters/msf-adapted.ts';

const most = 50_000;
const lifeMs = 10 * 60_000;

export class AppendedReferences {
  readonly #contents = new LRUCache<string, string>({ max: most, ttl: lifeMs });

  /** Those that were not appended lately, or with other content. */
  *missing(references: readonly WrittenReference[]): Steps<NamedReference[]> {
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

/** A reference, and what is remembered of it once it is in the log. */
type NamedReference = { reference: WrittenReference; name: string; content: string };

const referencesOfStep = 64;

/** The content is a digest, or the code of the refusal. */
function nameAndContentOf(reference: WrittenReference): { name: string; content: string } {
  if (reference.kind === 'refused') return { name: canonicalSha256(reference.text), content: reference.refusal.code };
  const { element } = reference;
  const name = nameOf(element.kind, element.league, element.sourceId);
  return { name, content: canonicalSha256(element as unknown as JsonValue) };
}
