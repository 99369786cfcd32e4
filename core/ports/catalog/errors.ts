/**
 * The catalog is temporarily unavailable (connection, time-out, lock, resources); retry. Any other error, except CatalogRefused, is a bug.
 */
export class CatalogUnavailable extends Error {
  override readonly name = 'CatalogUnavailable';
}

/** The catalog will never accept this input: it cannot store the value, or its size. */
export class CatalogRefused extends Error {
  override readonly name = 'CatalogRefused';
}

/** The connection broke during COMMIT, which may have happened. The caller reads back what it would have changed. */
export class UnknownCommit extends Error {
  override readonly name = 'UnknownCommit';
}
