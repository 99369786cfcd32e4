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
export async function interruptedAtLock(tool: EmbeddedTool, lock: string, args: readonly string[]): Promise<Ran> {
  await using database = await databaseOf(tool);
  const begun = Promise.withResolvers<ChildProcess>();
  let command: Promise<Ran> | null = null;
  await database.sql.transaction(async (tx) => {
    await tx.query(`lock table ${lock}`);
    command = tool.sdsWith({}, args, { begun: begun.resolve });
    // Asked within the transaction, which would be ended if it stood idle; it sees what it has seen first until it is told to look again.
    await until('a statement of the command waits', async () => {
      await tx.query('select pg_stat_clear_snapshot()');
      const { rows } = await tx.query(
        `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and application_name = 'sds-command'`,
      );
      return rows.length > 0;
    });
    (await begun.promise).kill('SIGINT');
  });
  return command ?? Promise.reject(new Error('the command has not begun'));
}
