// A service that this machine does not have and cannot install. The reason is one line, printed after the name of each
// skipped test.

export class ServiceMissing extends Error {}

/** `skip`: `false`, or why tests of the service cannot run here, for `skipFor`. */
export type Skippable = { readonly skip: string | false };

/** Stands in for a missing service: its `skip` is the reason, and using it throws. */
export function standIn<T extends object>(service: string, reason: string): T & Skippable {
  const skip = `${service} is not here: ${reason}`;
  return new Proxy({} as T & Skippable, {
    get(_target, property) {
      if (property === 'skip') return skip;
      // Read by `await`, which would otherwise take the stand-in for a promise.
      if (property === 'then') return undefined;
      // Read by `await using`: there is nothing to end.
      if (property === Symbol.asyncDispose) return async () => {};
      throw new ServiceMissing(skip);
    },
  });
}
