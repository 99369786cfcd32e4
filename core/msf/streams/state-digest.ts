// The digest of a state that comes after another: what both begin with is not hashed again (decisions.md 25). A hash is remembered at every so
// many rows; without any the digest is the same and all lines are hashed.
import { createHash, type Hash } from 'node:crypto';
import { hashTexts } from '../../json/text-hash.ts';
import type { DatasetState } from '../types.ts';

const rowsOfStep = 512;

/** Of each state the hash of its first step, of its first two, and so on: steps that are whole. */
const begun = new WeakMap<DatasetState, readonly Hash[]>();

/** The digest of `state`; `before`: the one that it was made from. */
export function digestOf(state: DatasetState, before: DatasetState = []): string {
  let same = 0;
  while (same < state.length && state[same] === before[same]) same += 1;
  const steps = (begun.get(before) ?? []).slice(0, Math.floor(same / rowsOfStep));
  const hash = steps.at(-1)?.copy() ?? createHash('sha256');
  for (let from = steps.length * rowsOfStep; from < state.length; from += rowsOfStep) {
    const rows = state.slice(from, from + rowsOfStep);
    hashTexts(
      hash,
      rows.map(({ line }) => line),
      true,
    );
    if (rows.length === rowsOfStep) steps.push(hash.copy());
  }
  begun.set(state, steps);
  return hash.digest('hex');
}
