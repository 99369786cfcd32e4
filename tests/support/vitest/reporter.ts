// What a run shows besides vitest's own report: its seed; what tests annotate (figures, seeds); and at the end skips
// with their reasons, the slowest files, failures with the first lines of what they said (last, because a log is often
// kept by its end) and, alone on the last line for other programs, `N passed, N failed, N skipped`.
import { DefaultReporter, type TestCase, type TestModule, type TestSuite, type Vitest } from 'vitest/node';

type RunEnd = Parameters<DefaultReporter['onTestRunEnd']>;

const slowestFiles = 10;
const firstLines = 20;

export class TestReporter extends DefaultReporter {
  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    const seed = process.env.SDS_SEED;
    this.log(`Seed ${seed} (SDS_SEED=${seed} npm test repeats this run's choices)`);
  }

  onTestCaseAnnotate({ module }: TestCase, { message }: { message: string }): void {
    this.log(`  ${module.relativeModuleId}: ${message}`);
  }

  /** Shows a failure when it happens, because a run is long; the end shows it in full. */
  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    const result = test.result();
    if (result.state !== 'failed') return;
    this.log(`✖ ${failureOf(test)}`);
  }

  override onTestRunEnd(...[modules, errors, reason]: RunEnd): void {
    super.onTestRunEnd(modules, errors, reason);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [
      ...inState('failed').map(failureOf),
      ...modules.flatMap(failuresOfGroups),
      ...inState('pending').map((test) => `did not end: ${test.fullName}  (${test.module.relativeModuleId})`),
      ...errors.map(({ message, cause }) => `outside of any test: ${cause?.message ?? message}`),
    ];
    this.list('Skipped', this.ctx.config.testNamePattern === undefined ? modules.flatMap(skipsOf) : []);
    this.list('Slowest files', slowest(modules));
    this.list('Failed', failures);
    this.log(`\nSeed ${process.env.SDS_SEED}`);
    this.log(`${inState('passed').length} passed, ${failures.length} failed, ${inState('skipped').length} skipped`);
  }

  private list(title: string, lines: readonly string[]): void {
    if (lines.length > 0) this.log(['', `${title}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
  }
}

/** A failed test's name and file, and the first lines of its errors. */
function failureOf(test: TestCase): string {
  const errors = test.result().errors ?? [];
  const said = errors.flatMap(({ message }) => message.split('\n').slice(0, firstLines));
  return [`${test.fullName}  (${test.module.relativeModuleId})`, ...said].join('\n    ');
}

/** Files and groups that failed outside their tests: they did not load, or one of their hooks failed. */
function failuresOfGroups(module: TestModule): string[] {
  const groups = [...module.children.allSuites()].filter((group) => group.errors().length > 0);
  return [
    ...(module.errors().length > 0 ? [`the file itself  (${module.relativeModuleId})`] : []),
    ...groups.map(({ fullName }) => `${fullName}  (${module.relativeModuleId})`),
  ];
}

/** A line for each test that was skipped on its own, and for each group that was skipped as a whole. */
function skipsOf(parent: TestModule | TestSuite): string[] {
  return [...parent.children].flatMap((child) => {
    const file = child.module.relativeModuleId;
    if (child.type === 'test') {
      const result = child.result();
      if (result.state !== 'skipped') return [];
      const reason =
        child.meta().skippedFor ?? result.note ?? (hasFailed(parent) ? 'its group failed' : 'no reason given');
      return [`${child.fullName}  (${file}): ${reason}`];
    }
    const reason = child.meta().skippedFor;
    if (reason === undefined) return skipsOf(child);
    return [`${child.fullName}, ${[...child.children.allTests()].length} tests  (${file}): ${reason}`];
  });
}

const hasFailed = (group: TestModule | TestSuite): boolean =>
  group.errors().length > 0 || (group.type === 'suite' && hasFailed(group.parent));

function slowest(modules: readonly TestModule[]): string[] {
  const timed = modules.map((module) => {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    return { file: module.relativeModuleId, seconds: ms / 1000 };
  });
  return timed
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, slowestFiles)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
}
