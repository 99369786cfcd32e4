// recheck, from npm, in a separate folder and without its native programs: decides whether an input can make a regular expression slow.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed, needProgram, run } from './installed.ts';

const version = '4.5.0';

export type Verdict = { status: 'safe' | 'vulnerable' | 'unknown'; source: string; attack?: { pattern: string } };

/** Checks one expression, in this process. */
export async function openRecheck(): Promise<(source: string, flags: string) => Verdict> {
  const home = await installed('recheck', version, 'npm', async (directory) => {
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefix', directory];
    await run(needProgram('npm'), ['install', ...options, `recheck@${version}`], { cwd: directory });
  });
  process.env.RECHECK_BACKEND = 'pure';
  const entry = pathToFileURL(join(home, 'node_modules', 'recheck', 'lib', 'main.js')).href;
  const { checkSync } = (await import(entry)) as {
    checkSync(source: string, flags: string, options: { timeout: number; randomSeed: number }): Verdict;
  };
  // Where it cannot decide, it attacks at random. With a fixed seed an expression gets the same verdict in every run.
  return (source, flags) => checkSync(source, flags, { timeout: 120_000, randomSeed: 0 });
}
