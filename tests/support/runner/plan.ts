// Which test files run, in which order, and how many at once. A file says by its suffix what it needs (docs/README.md#layout).
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, relative, resolve } from 'node:path';

/** Pure code, then everything over real services, then whole programs, which want the machine for themselves. */
const phases = [
  { suffixes: ['unit', 'prop', 'sim'], needsServices: false, concurrency: availableParallelism() },
  { suffixes: ['contract', 'service'], needsServices: true, concurrency: availableParallelism() },
  { suffixes: ['e2e'], needsServices: true, concurrency: 1 },
];

const suffixes = phases.flatMap((phase) => phase.suffixes);

export type Phase = { files: string[]; concurrency: number; needsServices: boolean };

/** The suffix of a test file's name: `unit` of `tests/core/live/cursor.unit.test.ts`. */
export function suffixOf(file: string): string | undefined {
  return /\.([a-z0-9]+)\.test\.ts$/.exec(basename(file))?.[1];
}

/**
 * The phases with files in them. `wanted` may name files and suffixes; nothing means all of `tests/`. A file that is named is run even
 * where its suffix is not.
 */
export function planTests(root: string, wanted: readonly string[]): Phase[] {
  const unknown = wanted.filter((name) => !suffixes.includes(name) && !existsSync(resolve(root, name)));
  if (unknown.length > 0)
    throw new Error(`neither a test file nor one of ${suffixes.join(', ')}: ${unknown.join(', ')}`);
  const files = globSync('tests/**/*.test.ts', { cwd: root }).sort();
  const strays = files.filter((file) => !suffixes.includes(suffixOf(file) ?? ''));
  if (strays.length > 0) throw new Error(`the name does not say what the test needs: ${strays.join(', ')}`);
  const named = wanted.filter((name) => !suffixes.includes(name)).map((name) => relative(root, resolve(root, name)));
  const isWanted = (file: string) =>
    wanted.length === 0 || named.includes(file) || wanted.includes(suffixOf(file) ?? '');
  const chosen = [...new Set([...files, ...named])].filter(isWanted);
  return phases
    .map(({ suffixes: own, ...phase }) => ({
      ...phase,
      files: chosen.filter((file) => own.includes(suffixOf(file) ?? '')),
    }))
    .filter((phase) => phase.files.length > 0);
}
