// The digest of a state that comes after another: what both begin with is not hashed again (docs/revisions.md#digest).
import { type Hashed, hashTexts } from '../../json/text-hash.ts';
import type { DatasetState, StateRow } from '../types.ts';

const hashed = new WeakMap<DatasetState, Hashed<StateRow>>();

/** The digest of `state`; `before`: the one that it was made from. Rows that were taken over have the lines that they had. */
export function digestOf(state: DatasetState, before: DatasetState = []): string {
  const now = hashTexts(state, rowLines, hashed.get(before) ?? null);
  hashed.set(state, now);
  return now.sha256;
}

const rowLines = { textOf: ({ line }: StateRow) => line, inLines: true };
