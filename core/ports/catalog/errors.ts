/** The catalog cannot answer now (connection, time-out, lock, resources): worth trying again. Anything else it throws, but for CatalogRefused, is a defect. */
export class CatalogUnavailable extends Error {
  override readonly name = 'CatalogUnavailable';
}

/** The catalog will not take what it was given, whenever it is given again: a value, or a size, that it has no room for. */
export class CatalogRefused extends Error {
  override readonly name = 'CatalogRefused';
}

/** The connection broke while COMMIT was under way: it may have happened. The caller reads again what it would have changed. */
export class UnknownCommit extends Error {
  override readonly name = 'UnknownCommit';
}
