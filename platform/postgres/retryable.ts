// Transactions that may simply be run again: what they do twice is done once. A lost answer to COMMIT is then no more than an outage.
import { CatalogUnavailable, UnknownCommit } from '../../core/ports/catalog/errors.ts';
import type { Sql } from './sql.ts';

/** @throws CatalogUnavailable also when nobody knows whether the transaction happened. */
export async function inTransaction<T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> {
  try {
    return await sql.transaction(work);
  } catch (error) {
    if (error instanceof UnknownCommit) throw new CatalogUnavailable(error.message, { cause: error });
    throw error;
  }
}
