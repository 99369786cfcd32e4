// How the tests run. A file says by its suffix what it needs (docs/README.md#layout): pure code first, then what needs services, whose
// files wait more than they work and so run more at once than there are cores, then the files that want the machine for themselves
// (tests/support/vitest/alone.ts) and a process of their own. The others share processes, by suffix, so that a module is loaded once. Node
// runs the repository's TypeScript there as it does in production: nothing is transformed.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { alone } from './tests/support/vitest/alone.ts';
import { TestReporter } from './tests/support/vitest/reporter.ts';
import { SlowFirst } from './tests/support/vitest/slow-first.ts';

// Of every property and campaign in this run; `npm test` prints it.
process.env.SDS_SEED ??= String(Math.floor(Math.random() * 1e9));

const cores = availableParallelism();
const pure = ['unit', 'prop', 'sim'];
const served = ['contract', 'service', 'e2e'];
const phases = [
  { suffixes: pure, atOnce: cores, shared: true },
  { suffixes: served, atOnce: Math.ceil(1.5 * cores), shared: true },
  { suffixes: [...pure, ...served], atOnce: 1, shared: false },
];

/** The files of a suffix that share, or those that do not. */
function filesOf(suffix: string, shared: boolean): { include: string[]; exclude?: string[] } {
  const own = Object.keys(alone).filter((file) => file.endsWith(`.${suffix}.test.ts`));
  return shared ? { include: [`tests/**/*.${suffix}.test.ts`], exclude: own } : { include: own };
}

const fileMinutes = Number(process.env.SDS_TEST_FILE_MINUTES ?? 10);

export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    reporters: [new TestReporter()],
    projects: phases.flatMap(({ suffixes, atOnce, shared }, order) =>
      suffixes
        .filter((suffix) => shared || filesOf(suffix, false).include.length > 0)
        .map((suffix) => ({
          extends: true as const,
          test: {
            name: shared ? suffix : `${suffix}-alone`,
            ...filesOf(suffix, shared),
            sequence: { groupOrder: order },
            maxWorkers: atOnce,
            isolate: !shared,
            provide: { leavesNothing: shared && served.includes(suffix) },
            globalSetup: served.includes(suffix) ? ['tests/support/vitest/lend-services.ts'] : [],
          },
        })),
    ),
    pool: 'forks',
    execArgv: [
      '--disable-proto=delete',
      '--disable-warning=TimeoutNegativeWarning',
      '--disable-warning=ExperimentalWarning',
    ],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['tests/support/vitest/before-each-file.ts'],
    provide: { fileMinutes },
    // A little less than the limit of its file (before-each-file.ts), so that a test that hangs is named.
    testTimeout: Math.max(0.5, fileMinutes - 1) * 60_000,
    hookTimeout: Math.max(0.5, fileMinutes - 1) * 60_000,
    teardownTimeout: 60_000,
    sequence: { hooks: 'list', sequencer: SlowFirst },
    restoreMocks: true,
    slowTestThreshold: 10_000,
  },
});
