// Classifies errors of the driver: our bug, a database that is temporarily unavailable, or a connection that broke during a statement of
// unknown outcome. SQLSTATE classes are PostgreSQL's (appendix A of its manual).
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
/** No connection was made. EAGAIN: the accept queue of a local server is full. The last four: this machine lacks resources. */
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

/** Whether the connection broke: the statement under way may or may not have happened. */
export function connectionBroke(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (brokenStates.has(code) || code.startsWith('08') || brokenCodes.has(code)) return true;
  return brokenMessages.some((message) => error.message.includes(message));
}

/** Whether the same call may succeed later without a change to the code. */
function worthRetrying(error: unknown): boolean {
  if (error instanceof CatalogUnavailable || connectionBroke(error)) return true;
  const code = codeOf(error);
  if (busyStates.has(code) || refusedCodes.has(code) || code.startsWith('53') || code.startsWith('58')) return true;
  return error instanceof Error && error.message.includes('timeout exceeded when trying to connect');
}

/** Data exceptions, violated constraints, program limits: errors that the same values always cause. */
const refusedClasses = new Set(['22', '23', '54']);

/** The error of a write for its caller: CatalogRefused if the values cause it, including values too large to be encoded as text. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof RangeError) && !refusedClasses.has(codeOf(error).slice(0, 2))) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return new CatalogRefused(code === '' ? message : `${message} (${code})`, { cause: error });
}

/** The error for callers of the catalog: CatalogUnavailable if a retry may help, otherwise unchanged. */
export function asCatalogError(error: unknown): unknown {
  if (error instanceof CatalogUnavailable || !worthRetrying(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CatalogUnavailable(`the database cannot answer now: ${message}`, { cause: error });
}
