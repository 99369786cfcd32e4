// `sds`: the administrator's tool, and the entry of the service (docs/operations.md#the-sds-tool). Exit codes: 0 done, 1 failed, 2 bad
// usage, 3 refused.
import { Command, CommanderError } from 'commander';
import { SettingError } from '../platform/config/setting-error.ts';
import { DataDirCopied } from '../platform/postgres/embedded-folders.ts';
import { MigrationRefused } from '../platform/postgres/migrate.ts';
import { DataDirInUse } from '../platform/process/data-dir-lock.ts';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { dlqCommand } from './commands/dlq.ts';
import { epochCommand } from './commands/epoch.ts';
import { feedCommand } from './commands/feed.ts';
import { feedKeysCommand } from './commands/feed-keys.ts';
import { gamesCommand } from './commands/games.ts';
import { keysCommand } from './commands/keys.ts';
import { logCommand } from './commands/log.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { proxyCommand } from './commands/proxy.ts';
import { replayCommand } from './commands/replay.ts';
import { restoreCommand } from './commands/restore.ts';
import { sourcesCommand } from './commands/sources.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { teamsCommand } from './commands/teams.ts';
import { usageCommand } from './commands/usage.ts';
import { verifyCommand } from './commands/verify.ts';
import { CommandFailure, exitCodes } from './session/command.ts';

const program = new Command('sds').description('Sports Data Service: run and administer it').exitOverride();
const commands = [
  startCommand,
  migrateCommand,
  feedCommand,
  accountsCommand,
  keysCommand,
  feedKeysCommand,
  sourcesCommand,
  teamsCommand,
  gamesCommand,
  dlqCommand,
  statusCommand,
  usageCommand,
  mcpCommand,
  proxyCommand,
  auditCommand,
  verifyCommand,
  epochCommand,
  logCommand,
  replayCommand,
  backupCommand,
  restoreCommand,
];
for (const make of commands) program.addCommand(underProgram(make()));

/** A state forbids it, and the message names the remedy. */
const refusals = [DataDirInUse, DataDirCopied, MigrationRefused];

const told = [process.stdout, process.stderr].map(untilTold);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
for (const wait of told) await wait();
// Exit even if something could not be closed in time.
process.exit();

/**
 * Returns a function that waits until the stream's output is written, because exiting would cut it off. Stops waiting if the reader has
 * closed its end.
 */
function untilTold(stream: NodeJS.WriteStream): () => Promise<void> {
  const gone = Promise.withResolvers<void>();
  stream.on('error', () => gone.resolve());
  return async () => {
    if (stream.writableLength === 0) return;
    await Promise.race([gone.promise, new Promise<void>((done) => stream.write('', () => done()))]);
  };
}

/** Applies the program's settings to the command and its subcommands: otherwise their usage errors would exit at once with 1. */
function underProgram(command: Command): Command {
  command.copyInheritedSettings(program);
  command.commands.forEach(underProgram);
  return command;
}

/** Prints the failure in one line and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`sds: ${failure.message}\n`);
  if (failure instanceof CommandFailure) return failure.exitCode;
  if (failure instanceof SettingError) return exitCodes.usage;
  return refusals.some((kind) => failure instanceof kind) ? exitCodes.refused : exitCodes.failed;
}
