import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    skippedFor?: string;
  }
}

/** Options that skip a test or a group; the end of the run lists the reason. `false` runs it. */
export function skipFor(reason: string | false): TestOptions {
  return reason === false ? {} : { skip: true, meta: { skippedFor: reason } };
}
