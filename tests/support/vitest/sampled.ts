// The longest comparisons say the same of several things, of both editions mostly. `npm test` takes one of them, by the seed of the run and
// the file or the case, so that runs take turns; `npm run proof`, which sets SDS_CAMPAIGN, takes all (support/campaigns/sampled-files.ts).
import { createHash } from 'node:crypto';
import { expect } from 'vitest';

/**
 * Why this run leaves `one` of `all` out; false where it takes it. `what`: the case that they are compared by, where a file has many: each of
 * them is then run of one, and not all of the same one.
 */
export function leftOut<T extends string>(one: T, all: readonly T[], what = fileOfTest()): string | false {
  if (process.env.SDS_CAMPAIGN !== undefined || takenOf(all, what, process.env.SDS_SEED ?? '') === one) return false;
  return `SDS_SEED=${process.env.SDS_SEED} takes another of ${all.join(', ')}; npm run proof takes all`;
}

/** The one that a run of this seed takes in this file, or of this case. */
export function takenOf<T>(all: readonly T[], what: string, seed: string): T | undefined {
  const digest = createHash('sha256').update(`${seed} ${what}`).digest();
  return all[digest.readUInt32BE() % all.length];
}

function fileOfTest(): string {
  return (expect.getState().testPath ?? '').replace(/^.*\/tests\//, '');
}
