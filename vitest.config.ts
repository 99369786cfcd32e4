// How the tests run. A file says by its suffix what it needs (docs/README.md#layout): pure code first, then what needs services, then
// whole programs, one at a time, because they want the machine for themselves. Each file has a process of its own, and Node runs the
// repository's TypeScript there as it does in production: nothing is transformed.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TestReporter } from './tests/support/vitest/reporter.ts';

// Of every property and campaign in this run; `npm test` prints it.
process.env.SDS_SEED ??= String(Math.floor(Math.random() * 1e9));

const phases = [
  { suffixes: ['unit', 'prop', 'sim'], atOnce: availableParallelism(), services: false },
  { suffixes: ['contract', 'service'], atOnce: availableParallelism(), services: true },
  { suffixes: ['e2e'], atOnce: 1, services: true },
];

const fileMinutes = Number(process.env.SDS_TEST_FILE_MINUTES ?? 10);

export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    reporters: [new TestReporter()],
    projects: phases.flatMap(({ suffixes, atOnce, services }, order) =>
      suffixes.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`tests/**/*.${name}.test.ts`],
          sequence: { groupOrder: order },
          maxWorkers: atOnce,
          globalSetup: services ? ['tests/support/vitest/lend-services.ts'] : [],
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
    sequence: { hooks: 'list' },
    restoreMocks: true,
    slowTestThreshold: 10_000,
  },
});
