// Work in steps. The runner may pause at each `yield` and continue later, so that long work does not block the process. The result does not
// depend on where it pauses.

export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Receives the outcome of the steps. */
type Completion<Result> = { resolve(result: Result): void; reject(error: unknown): void };

/** Runs steps until `isOver`. If they end or throw, passes that to `outcome`. Returns whether they have ended. */
export function takeSome<Result>(steps: Steps<Result>, isOver: () => boolean, outcome: Completion<Result>): boolean {
  try {
    for (;;) {
      const step = steps.next();
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
