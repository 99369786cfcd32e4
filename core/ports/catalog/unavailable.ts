// What every catalog method rejects with when the database cannot answer now.

/** The catalog cannot answer now (down, too slow, locked, read-only); nothing is known to have changed; worth trying again. */
export class CatalogUnavailable extends Error {
  override readonly name = 'CatalogUnavailable';
}
