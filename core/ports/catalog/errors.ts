/** The catalog cannot answer now (connection, time-out, lock, resources): worth trying again. Anything else it throws is a defect. */
export class CatalogUnavailable extends Error {
  override readonly name = 'CatalogUnavailable';
}
