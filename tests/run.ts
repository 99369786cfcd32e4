// `npm test`: the whole suite, over every real service this machine has or can get. While services are installed and started, the tests
// that need none run. Closes with one line alone, `N passed, N failed, N skipped`, and with an exit code that is not zero on failure.
//
//   npm test                              everything
//   npm test -- unit prop                 by suffix
//   npm test -- tests/core/live/cursor.prop.test.ts by file
//   SDS_SEED=42 npm test                  the same properties and campaigns again
//   SDS_REQUIRE_SERVICES=1 npm test       a missing service is a failure (CI)
//   SDS_TEST_SERVICES=native npm test     services as programs even where a Docker engine answers (support/services/way.ts)
import { fileURLToPath } from 'node:url';
import { takeOverProgress } from '../scripts/progress.mjs';
import { type Phase, planTests } from './support/runner/plan.ts';
import { runPhase } from './support/runner/run-tests.ts';
import { durationOf, openScreen, type Screen } from './support/runner/screen.ts';
import { closingLine, emptyTally, failuresOf, skipsOf, type Tally } from './support/runner/tally.ts';
import { type OfferedServices, offerServices } from './support/services/services.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const fileTimeoutMs = Number(process.env.SDS_TEST_FILE_MINUTES ?? 10) * 60_000;
const servicesAreRequired = process.env.SDS_REQUIRE_SERVICES === '1';

async function main(wanted: readonly string[]): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    console.error(`Node 24 or newer is needed, and this is ${process.versions.node}: run npm test`);
    return 1;
  }
  let phases: Phase[];
  try {
    phases = planTests(root, wanted);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  process.env.SDS_SEED ??= String(Math.floor(Math.random() * 1e9));
  const startedAt = performance.now();
  const tally = emptyTally();
  const starting = new Set<string>();
  const files = phases.reduce((sum, phase) => sum + phase.files.length, 0);
  const installing = takeOverProgress();
  const alsoDoing = () => [...installing(), starting.size === 0 ? '' : `starting ${[...starting].join(', ')}`];
  const screen = openScreen(tally, files, alsoDoing);
  screen.say(`Seed ${process.env.SDS_SEED} (SDS_SEED=${process.env.SDS_SEED} npm test repeats this run's choices)`);

  // Files named one by one start what they need by themselves.
  const byName = wanted.some((name) => name.endsWith('.ts'));
  const offering = phases.some((phase) => phase.needsServices) && !byName ? offer(tally, screen, starting) : undefined;
  for (const phase of phases) {
    if (phase.needsServices) await offering;
    await runPhase(phase, { root, tally, screen, fileTimeoutMs });
  }
  await (await offering)?.close();
  screen.end();
  close(tally, (performance.now() - startedAt) / 1000);
  return failuresOf(tally).length > 0 ? 1 : 0;
}

async function offer(tally: Tally, screen: Screen, starting: Set<string>): Promise<OfferedServices> {
  return await offerServices({
    chosen: (line) => screen.say(line),
    starting: (title) => starting.add(title),
    offered({ title, missing, required, seconds }) {
      starting.delete(title);
      if (missing === null) screen.say(`${title}: ready after ${durationOf(seconds)}`);
      else screen.say(`${title}: missing, ${missing}`);
      if (missing === null || !required || !servicesAreRequired) return;
      const failure = { file: 'SDS_REQUIRE_SERVICES', name: `${title} is required`, line: undefined, error: missing };
      tally.besides.push(failure);
      screen.failure(failure);
    },
  });
}

function close(tally: Tally, seconds: number): void {
  const [failures, skips] = [failuresOf(tally), skipsOf(tally)];
  if (failures.length > 0) console.log('\nFailed:');
  for (const { file, name } of failures) console.log(`  ${name}  (${file})`);
  if (skips.length > 0) console.log('\nSkipped:');
  for (const { file, name, reason } of skips) console.log(`  ${name}  (${file}): ${reason}`);
  console.log(`\nSeed ${process.env.SDS_SEED}, ${durationOf(seconds)}`);
  console.log(closingLine(tally));
}

process.exitCode = await main(process.argv.slice(2));
