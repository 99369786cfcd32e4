// Work in steps. The runner may pause at each `yield` and continue later, so that reading a large body does not block the process. The
// result does not depend on where it pauses.

export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
