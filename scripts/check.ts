// `npm run check`: everything that can be checked without services, in under a minute: types, lint and format, and the architecture, unit
// and property tests. Every part runs, even if another fails. The long properties and the comparisons with the oracles run a share of their
// cases here and in `npm test`, and all of them in `npm run proof` (SDS_CAMPAIGN).
//
//   npm run check                          all parts
//   npm run check -- --without-tests       for CI, which runs `npm test` as well
import { type StdioOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const local = (program: string) => fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url));

type Part = { title: string; program: string; args: readonly string[]; live?: boolean };

/** Keeps the compiler's results for unchanged files, including errors: a later check takes an eighth of the CPU. */
const memory = ['--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'];
/** Each checker works out the libraries' types again: four take half as much CPU more than one, and the tests beside them need that. */
const oneChecker = ['--checkers', '1'];
const compiler = ['--noEmit', '-p', 'tsconfig.json', ...memory, ...oneChecker];
const types: Part = { title: 'types', program: local('tsc'), args: compiler };
const style: Part = { title: 'lint and format', program: local('biome'), args: ['check', '--error-on-warnings'] };
const tests: Part = {
  title: 'architecture, unit and property tests',
  program: process.execPath,
  args: ['scripts/test.ts', 'unit', 'prop'],
  live: true,
};

/** Runs a part and reports the result. The output of a part that is not live is shown only if it fails. */
async function passes({ title, program, args, live = false }: Part): Promise<boolean> {
  const startedAt = performance.now();
  const stdio: StdioOptions = live ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const child = spawn(program, args, { cwd: root, stdio });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code !== 0 && !live) console.log(said.trimEnd());
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${title}, ${seconds} s`);
  return code === 0;
}

const { values } = parseArgs({ options: { 'without-tests': { type: 'boolean', default: false } } });
const parts = [types, style, ...(values['without-tests'] ? [] : [tests])];
console.log(`Checking ${parts.map(({ title }) => title).join('; ')} …`);
const passed = await Promise.all(parts.map(passes));
process.exitCode = passed.every(Boolean) ? 0 : 1;
