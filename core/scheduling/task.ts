// Cooperative tasks: work that may pause at each `yield` and continue later, so that long work does not block the process. The result does
// not depend on where it pauses.

export type Task<Result> = Generator<void, Result, void>;

/** Runs the whole task at once. */
export function runToEnd<Result>(task: Task<Result>): Result {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
  }
}

/** Receives the outcome of a task. */
type Completion<Result> = { resolve(result: Result): void; reject(error: unknown): void };

/** Runs the task until `isOver`. If it ends or throws, passes that to `outcome`. Returns whether it has ended. */
export function runUntil<Result>(task: Task<Result>, isOver: () => boolean, outcome: Completion<Result>): boolean {
  try {
    for (;;) {
      const step = task.next();
      if (step.done === true) {
        outcome.resolve(step.value);
        return true;
      }
      if (isOver()) return false;
    }
  } catch (error) {
    outcome.reject(error);
    return true;
  }
}
