// Interrupts a command of the administrator's tool in the middle of its work: at a statement that has to wait, because the test holds a lock on
// the statement's table.
import type { ChildProcess } from 'node:child_process';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openDatabase } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import type { Ran } from '../processes/sds.ts';
import { until } from '../services/until.ts';
import type { EmbeddedTool } from './embedded-tool.ts';

/** The database of the tool's instance, with the rights that a command has. */
export async function databaseOf(tool: EmbeddedTool): Promise<{ sql: Sql } & AsyncDisposable> {
  const { sql, close } = await openDatabase(readSettings(tool.environment), silentLog);
  return { sql, [Symbol.asyncDispose]: close };
}

/**
 * Runs the command while `lock`, such as `dead_letters in share mode`, is held; sends it SIGINT once a statement of it waits for the lock, and then
 * gives the lock up.
 */
export function interruptedAtLock(tool: EmbeddedTool, lock: string, args: readonly string[]): Promise<Ran> {
  return interruptedUnder(tool, lock, args, waits, () => true);
}

/** The same once `isTime`, given what the command has said on standard error; the lock is held until the command has ended. It keeps others, such as a projector, from going on. */
export function interruptedBefore(
  tool: EmbeddedTool,
  lock: string,
  args: readonly string[],
  isTime: (sql: Sql, said: string) => Promise<boolean>,
): Promise<Ran> {
  return interruptedUnder(tool, lock, args, isTime, (ended) => ended);
}

/** How many commands wait for a lock. */
export async function waitingCommands(sql: Sql): Promise<number> {
  // Otherwise a transaction keeps to the activity that it has seen first.
  await sql.query('select pg_stat_clear_snapshot()');
  const { rows } = await sql.query(
    `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and application_name = 'sds-command'`,
  );
  return rows.length;
}

const waits = async (sql: Sql): Promise<boolean> => (await waitingCommands(sql)) > 0;

async function interruptedUnder(
  tool: EmbeddedTool,
  lock: string,
  args: readonly string[],
  isTime: (sql: Sql, said: string) => Promise<boolean>,
  mayGiveUp: (ended: boolean) => boolean,
): Promise<Ran> {
  await using database = await databaseOf(tool);
  const begun = Promise.withResolvers<ChildProcess>();
  const command = Promise.withResolvers<Ran>();
  let [ended, said] = [false, ''];
  // All waiting asks the database within the transaction, which would be ended if it stood idle.
  await database.sql.transaction(async (tx) => {
    await tx.query(`lock table ${lock}`);
    command.resolve(tool.sdsWith({}, args, { begun: begun.resolve }));
    (await begun.promise).stderr?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    void command.promise.then(() => {
      ended = true;
    });
    await until('it is time to interrupt the command', () => isTime(tx, said));
    (await begun.promise).kill('SIGINT');
    await until('the lock may be given up', async () => {
      await tx.query('select');
      return mayGiveUp(ended);
    });
  });
  return command.promise;
}
