// The digest of a state that follows another one: their common beginning is not hashed again (docs/revisions.md#digest).
import { type Hashed, hashTexts } from '../../json/text-hash.ts';
import type { DatasetState, StateRow } from '../types.ts';

const hashed = new WeakMap<DatasetState, Hashed<StateRow>>();

/** The digest of `state`; `before`: the state it was made from. Reused rows keep their lines. */
export function digestOf(state: DatasetState, before: DatasetState = []): string {
  const now = hashTexts(state, rowLines, hashed.get(before) ?? null);
  hashed.set(state, now);
  return now.sha256;
}

const rowLines = { textOf: ({ line }: StateRow) => line, inLines: true };
