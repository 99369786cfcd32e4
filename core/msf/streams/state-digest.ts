// The digest of a state that comes after another: what both begin with is not hashed again (decisions.md 25).
import { type HashedTexts, hashTexts } from '../../json/text-hash.ts';
import type { DatasetState } from '../types.ts';

const hashed = new WeakMap<DatasetState, HashedTexts>();

/** The digest of `state`; `before`: the one that it was made from. */
export function digestOf(state: DatasetState, before: DatasetState = []): string {
  const lines = state.map(({ line }) => line);
  const now = hashTexts(lines, true, hashed.get(before) ?? null);
  hashed.set(state, now);
  return now.sha256;
}
