// A database for the rest of platform/: statements, transactions, notices. Owns the pool and its guards (docs/durability.md#the-fence):
// every statement, lock wait and idle transaction ends well below a consumer's session timeout. Independent of tables.
import pg from 'pg';
import { CatalogUnavailable, UnknownCommit } from '../../core/ports/catalog/errors.ts';
import { type Log, silentLog } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { asCatalogError, connectionBroke } from './failures.ts';
import { openListener } from './listener.ts';
import { valueTypes } from './values.ts';

export type SqlRow = Record<string, unknown>;
type SqlResult = { rows: SqlRow[]; rowCount: number | null };

export interface Sql {
  /**
   * One statement. A `name` keeps it prepared on each connection: for hot statements, one text per name.
   * @throws CatalogUnavailable when the database cannot answer now (`connectionBroke` of its cause says why), or the pool is closed.
   */
  query(text: string, values?: readonly unknown[], name?: string): Promise<SqlResult>;
  /**
   * BEGIN, `work`, COMMIT; ROLLBACK when `work` rejects. Cannot be nested. `statementMs`: how long each statement may take, where that is
   * more than the guard of all connections.
   * @throws UnknownCommit when the connection broke during COMMIT: the transaction may have happened.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, statementMs?: Millis): Promise<T>;
  /**
   * Calls back on each NOTIFY of the channel once it resolves. `onLost`: notices may have been missed (called when the connection breaks
   * and again when it is back). Reconnects automatically. Returns a function that stops listening.
   */
  listen(channel: string, onNotice: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
  /** Closes every connection after waiting for running statements. */
  close(): Promise<void>;
}

export type PoolConfig = {
  /** A libpq URL, or the parts of one. `host` may be the folder of a unix socket. */
  connection: string | { host: string; port: number; user: string; password: string; database: string };
  /** The role that the connections assume, if not the login's own. Connecting fails if the login may not assume it. */
  role?: string;
  applicationName?: string;
  maxConnections?: number;
  /** For migrations: waits for an answer however long it takes; the server's own guards stay. */
  patient?: boolean;
  /** How long a statement may take, where that is less than the guard of all connections. */
  statementTimeoutMs?: Millis;
  /** Whether the server refuses every change by these connections. */
  readOnly?: boolean;
  log?: Log;
};

/** Guards of every connection; each below the consumers' session timeout of 30 s. */
const guards = {
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  /** The client's own time-out: for a server that no longer answers at all. */
  answerTimeoutMs: 12_000,
} as const;

/** The settings of one connection. */
function clientConfig(config: PoolConfig): pg.ClientConfig {
  return {
    ...targetOf(config),
    application_name: config.applicationName ?? 'sds',
    statement_timeout: config.statementTimeoutMs ?? guards.statementTimeoutMs,
    lock_timeout: guards.lockTimeoutMs,
    idle_in_transaction_session_timeout: guards.idleInTransactionTimeoutMs,
    query_timeout: config.patient === true ? 0 : guards.answerTimeoutMs,
    connectionTimeoutMillis: guards.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types: valueTypes,
  };
}

/** The address and session settings: settings in the URL take precedence, and the role is added. */
function targetOf({ connection, role, readOnly }: PoolConfig): pg.ClientConfig {
  const asked = `${role === undefined ? '' : ` -c role=${role}`}${readOnly === true ? ' -c default_transaction_read_only=on' : ''}`;
  if (typeof connection !== 'string') return { ...connection, options: `${ownOptions}${asked}` };
  const url = new URL(connection);
  // If a setting appears twice, the last one counts.
  const options = `${ownOptions} ${url.searchParams.get('options') ?? ''}`.trim();
  url.searchParams.delete('options');
  asLibpqReads(url);
  return { connectionString: url.href, options: `${options}${asked}` };
}

/** The library follows libpq's TLS modes only on request, and does not know libpq's name for the system's certificate authorities. */
function asLibpqReads({ searchParams }: URL): void {
  if (searchParams.has('sslmode')) searchParams.set('uselibpqcompat', 'true');
  if (searchParams.get('sslrootcert') === 'system') searchParams.delete('sslrootcert');
}

/**
 * Times are read in this form (values.ts), whatever the database's own is.
 *
 * Prepared statements keep their plan while tables grow: a plan made for a small table would scan the whole table at each commit once it is
 * large. So the planner uses an index wherever one fits. Where none fits, servers before version 18 estimate the scan as so expensive that
 * they compile the statement first (JIT), which takes a quarter of a second for a table of ten rows.
 */
const ownOptions = '-c TimeZone=UTC -c DateStyle=ISO -c enable_seqscan=off -c jit=off';

export type PoolUse = { used: number; idle: number; waiting: number };

/** A pool of connections. */
export type Pool = Sql & {
  /** How many connections are busy and idle, and how many statements wait for one. */
  use(): PoolUse;
};

/** Opens a pool. Connects on the first statement. */
export function openPool(config: string | PoolConfig): Pool {
  const settings: PoolConfig = typeof config === 'string' ? { connection: config } : config;
  const log = settings.log ?? silentLog;
  const pool = new pg.Pool({
    ...clientConfig(settings),
    max: settings.maxConnections ?? 10,
    idleTimeoutMillis: 30_000,
  });
  let closed: Promise<void> | null = null;
  // The pool replaces an idle connection that dies. Without this handler the process would crash. A closed pool does not wait until the
  // server has read its farewells, so a server that is stopped next may still end these connections itself, which is no loss.
  pool.on('error', (error) => {
    if (closed === null) log.warn('idle database connection lost', { error: error.message });
  });
  // The pool removes its handler from a client that it lends. The last message of a dying server may arrive together with the answer that
  // freed the client, before the borrower has added a handler.
  pool.on('connect', (client) => client.on('error', () => {}));
  const listener = openListener(() => new pg.Client(clientConfig(settings)), log);
  // Work that a stopping process had to abandon may still ask: its caller sends it again, to a process that runs.
  async function whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closed !== null) throw new CatalogUnavailable('this process has closed its connections to the database');
    return await work();
  }
  return {
    query: (text, values, name) => whileOpen(() => run(pool, text, values, name)),
    transaction: (work, statementMs) => whileOpen(() => transact(pool, work, statementMs)),
    listen: (channel, onNotice, onLost) => listener.listen(channel, onNotice, onLost),
    use: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close() {
      closed ??= Promise.all([listener.close(), pool.end()]).then(() => {});
      return closed;
    },
  };
}

async function run(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
  answerMs?: Millis,
): Promise<SqlResult> {
  const named = name === undefined ? {} : { name };
  const patient = answerMs === undefined ? {} : { query_timeout: answerMs };
  try {
    return await on.query<SqlRow>({ text, values: [...values], ...named, ...patient });
  } catch (error) {
    throw asCatalogError(error);
  }
}

async function transact<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>, statementMs?: Millis): Promise<T> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    await run(client, 'begin');
    if (statementMs !== undefined)
      await run(client, `select set_config('statement_timeout', $1, true)`, [`${statementMs}ms`]);
    const answer = await work(inTransaction(client, statementMs));
    await commit(client);
    return answer;
  } catch (error) {
    // A connection in an unknown state is closed, not reused.
    broken = await rollback(client, error);
    throw error;
  } finally {
    client.release(broken);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asCatalogError(error);
  }
}

function inTransaction(client: pg.PoolClient, statementMs?: Millis): Sql {
  const answerMs =
    statementMs === undefined ? undefined : statementMs + guards.answerTimeoutMs - guards.statementTimeoutMs;
  const refuse = (what: string) => () => Promise.reject(new Error(`${what} inside a transaction`));
  return {
    query: (text, values, name) => run(client, text, values, name, answerMs),
    transaction: refuse('a transaction'),
    listen: refuse('listening'),
    close: refuse('closing the pool'),
  };
}

async function commit(client: pg.PoolClient): Promise<void> {
  let result: pg.QueryResult;
  try {
    result = await client.query('commit');
  } catch (error) {
    if (connectionBroke(error)) throw new UnknownCommit('the connection broke during COMMIT', { cause: error });
    throw asCatalogError(error);
  }
  // A transaction with a failed statement answers COMMIT with ROLLBACK, without an error.
  if (result.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

async function rollback(client: pg.PoolClient, after: unknown): Promise<Error | undefined> {
  if (after instanceof UnknownCommit) return after;
  if (after instanceof Error && (connectionBroke(after) || connectionBroke(after.cause))) return after;
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
