// A service that this machine neither has nor can install. The reason is one line; it follows the name of each skipped test.

export class ServiceMissing extends Error {}

/** Of each service: `false`, or why its tests cannot run here. `skipFor` takes it. */
export type Skippable = { readonly skip: string | false };

/** Stands in for a service that is missing: has the reason as `skip`, and refuses to be used. */
export function standIn<T extends object>(service: string, reason: string): T & Skippable {
  const skip = `${service} is not here: ${reason}`;
  return new Proxy({} as T & Skippable, {
    get(_target, property) {
      if (property === 'skip') return skip;
      // Asked by `await`, which would otherwise take the stand-in for a promise.
      if (property === 'then') return undefined;
      // Asked by `await using`: there is nothing to end.
      if (property === Symbol.asyncDispose) return async () => {};
      throw new ServiceMissing(skip);
    },
  });
}
