// What happens at the end of a test file. Files share a process, so a module of tests/support that keeps something open for the file cannot
// leave it to the end of the process, and its own `afterAll` would run after the first file only, because a module is loaded once.

const works: (() => Promise<void>)[] = [];

/** Has the current test file do `work` after its tests and its own hooks. */
export function afterFile(work: () => Promise<void>): void {
  works.push(work);
}

/** Does all works, the last one first, even if one fails. @throws the first failure */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let work = works.pop(); work !== undefined; work = works.pop()) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
