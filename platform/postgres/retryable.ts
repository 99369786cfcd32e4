// Idempotent transactions: running one again is safe, so a lost answer to COMMIT counts as an ordinary outage.
import { CatalogUnavailable, UnknownCommit } from '../../core/ports/catalog/errors.ts';
import type { Sql } from './sql.ts';

/** @throws CatalogUnavailable also when the outcome of the transaction is unknown. */
export async function inTransaction<T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> {
  try {
    return await sql.transaction(work);
  } catch (error) {
    if (error instanceof UnknownCommit) throw new CatalogUnavailable(error.message, { cause: error });
    throw error;
  }
}
