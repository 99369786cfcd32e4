// The longest comparisons say the same of several things, of both editions mostly. `npm test` takes one of them, by the seed of the run and
// the file or the case, so that runs take turns; `npm run proof`, which sets SDS_CAMPAIGN, takes all (support/campaigns/sampled-files.ts).
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { turns } from '../campaigns/turns.ts';

/**
 * Why this run leaves `one` of `all` out; false where it takes it. `what`: the case that they are compared by, where a file has many: each of
 * them is then run of one, and not all of the same one.
 */
export function leftOut<T extends string>(one: T, all: readonly T[], what = fileOfTest()): string | false {
  if (process.env.SDS_CAMPAIGN !== undefined || takenOf(all, what, process.env.SDS_SEED ?? '') === one) return false;
  return `SDS_SEED=${process.env.SDS_SEED} takes another of ${all.join(', ')}; npm run proof takes all`;
}

/** Why this run leaves out the file of the test, which takes turns with others; false where it is its turn. */
export function outOfTurn(): string | false {
  const file = `tests/${fileOfTest()}`;
  const rows = turns.find((each) => each.flat().includes(file));
  if (rows === undefined) throw new Error(`${file} takes no turns`);
  const names = rows.map((row) => row.map((each) => basename(each).replace(/\..*/, '')).join(' and '));
  return leftOut(names[rows.findIndex((row) => row.includes(file))] ?? '', names, names.join());
}

/** Why this run leaves out the case at this place of its file: it takes one case of `of`; false where it takes this one. */
export function caseOutOfTurn(place: number, of: number): string | false {
  const parts = Array.from({ length: of }, (_, at) => `part ${at + 1} of ${of}`);
  return leftOut(parts[place % of] ?? '', parts);
}

/** Whether this run may build a tool for minutes: `npm run proof` may. Others leave out what needs it, unless it is there. */
export function mayBuildTools(): boolean {
  return process.env.SDS_CAMPAIGN !== undefined;
}

/** The one that a run of this seed takes in this file, or of this case. */
export function takenOf<T>(all: readonly T[], what: string, seed: string): T | undefined {
  const digest = createHash('sha256').update(`${seed} ${what}`).digest();
  return all[digest.readUInt32BE() % all.length];
}

function fileOfTest(): string {
  return (expect.getState().testPath ?? '').replace(/^.*\/tests\//, '');
}
