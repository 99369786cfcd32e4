import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    skippedFor?: string;
  }
}

/** Options of a test or a group that is skipped for this reason, which the run lists at its end; `false` runs it. */
export function skipFor(reason: string | false): TestOptions {
  return reason === false ? {} : { skip: true, meta: { skippedFor: reason } };
}
