// What an error of the driver means: our bug, a database that cannot answer now, or a connection that died under a statement whose
// fate nobody knows. SQLSTATE classes are PostgreSQL's (appendix A of its manual).
import { CatalogRefused, CatalogUnavailable } from '../../core/ports/catalog/errors.ts';

const brokenStates = new Set(['57P01', '57P02', '57P05', '25P03']);
const busyStates = new Set(['57014', '55P03', '40P01', '40001', '25006', '57P03', '25P02']);
const brokenCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);
/** No connection was made. EAGAIN: the queue of a local server that accepts nobody is full. The last four: this machine has run out of something. */
const refusedCodes = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
]);
const brokenMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Connection ended unexpectedly',
];

/** The SQLSTATE or system code of an error. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Whether the connection died: whatever was under way may or may not have happened. */
export function connectionBroke(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (brokenStates.has(code) || code.startsWith('08') || brokenCodes.has(code)) return true;
  return brokenMessages.some((message) => error.message.includes(message));
}

/** Whether the same call may succeed later without anybody changing the code. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof CatalogUnavailable || connectionBroke(error)) return true;
  const code = codeOf(error);
  if (busyStates.has(code) || refusedCodes.has(code) || code.startsWith('53') || code.startsWith('58')) return true;
  return error instanceof Error && error.message.includes('timeout exceeded when trying to connect');
}

/** Data exceptions, violated constraints, limits of the program: what the same values meet whenever they come. */
const refusedClasses = new Set(['22', '23', '54']);

/** The error of a write as its caller sees it: CatalogRefused where it is the values' own — also where they have no text, so large are they. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof RangeError) && !refusedClasses.has(codeOf(error).slice(0, 2))) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return new CatalogRefused(code === '' ? message : `${message} (${code})`, { cause: error });
}

/** The error as callers of the catalog see it: CatalogUnavailable when it is worth retrying, else itself. */
export function asCatalogError(error: unknown): unknown {
  if (error instanceof CatalogUnavailable || !worthRetrying(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CatalogUnavailable(`the database cannot answer now: ${message}`, { cause: error });
}
