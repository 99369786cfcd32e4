// Work in steps. Who runs it may stop at each `yield` and go on later: a large body is read so, between whatever else the process does.
// What comes out is the same, wherever it stopped.

export type Steps<Result> = Generator<void, Result, void>;

/** All steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
