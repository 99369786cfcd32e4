// The longest comparisons run on several variants, usually both editions. `npm test` runs one variant, chosen by the
// seed of the run and the file or case, so that runs take turns. `npm run proof`, which sets SDS_CAMPAIGN, runs all
// (support/campaigns/sampled-files.ts).
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { turns } from '../campaigns/turns.ts';

/**
 * Why this run leaves out variant `one` of `all`; false if it runs it. `what`: the compared case, in a file with many
 * cases: each case then gets a variant of its own.
 */
export function leftOut<T extends string>(one: T, all: readonly T[], what = fileOfTest()): string | false {
  if (process.env.SDS_CAMPAIGN !== undefined || takenOf(all, what, process.env.SDS_SEED ?? '') === one) return false;
  return `SDS_SEED=${process.env.SDS_SEED} takes another of ${all.join(', ')}; npm run proof takes all`;
}

/** Why this run leaves out the test's file, which takes turns with others; false if it is its turn. */
export function outOfTurn(): string | false {
  const file = `tests/${fileOfTest()}`;
  const rows = turns.find((each) => each.flat().includes(file));
  if (rows === undefined) throw new Error(`${file} takes no turns`);
  const names = rows.map((row) => row.map((each) => basename(each).replace(/\..*/, '')).join(' and '));
  return leftOut(names[rows.findIndex((row) => row.includes(file))] ?? '', names, names.join());
}

/** Why this run leaves out the case at `place` of its file, of which it runs one in `of`; false if it runs it. */
export function caseOutOfTurn(place: number, of: number): string | false {
  const parts = Array.from({ length: of }, (_, at) => `part ${at + 1} of ${of}`);
  return leftOut(parts[place % of] ?? '', parts);
}

/** Why this run leaves out what only `npm run proof` runs; false there. */
export function leftToProof(what: string): string | false {
  return process.env.SDS_CAMPAIGN === undefined ? `npm run proof runs ${what}` : false;
}

/**
 * Whether this run may spend minutes on building a tool: `npm run proof` may. Other runs skip tests that need it,
 * unless it is installed.
 */
export function mayBuildTools(): boolean {
  return process.env.SDS_CAMPAIGN !== undefined;
}

/** The variant that a run with this seed takes in this file, or in this case. */
export function takenOf<T>(all: readonly T[], what: string, seed: string): T | undefined {
  const digest = createHash('sha256').update(`${seed} ${what}`).digest();
  return all[digest.readUInt32BE() % all.length];
}

function fileOfTest(): string {
  return (expect.getState().testPath ?? '').replace(/^.*\/tests\//, '');
}
