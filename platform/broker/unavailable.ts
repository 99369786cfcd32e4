// Converts errors of the database and of clients to those of the log.
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable, UnknownCommit } from '../../core/ports/catalog/errors.ts';

/** The error, or BrokerUnavailable if the database may answer later. */
export function asBrokerError(error: unknown): unknown {
  if (!(error instanceof CatalogUnavailable || error instanceof UnknownCommit)) return error;
  return new BrokerUnavailable(`the log cannot answer now: ${error.message}`, { cause: error });
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
