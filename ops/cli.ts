// `sds`: the operator's tool and the service's entry (docs/operations.md#the-sds-tool). Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused.
import { Command, CommanderError } from 'commander';
import { SettingError } from '../platform/config/setting-error.ts';
import { DataDirInUse } from '../platform/process/data-dir-lock.ts';
import { accountsCommand } from './commands/accounts.ts';
import { dlqCommand } from './commands/dlq.ts';
import { epochCommand } from './commands/epoch.ts';
import { feedCommand } from './commands/feed.ts';
import { feedKeysCommand } from './commands/feed-keys.ts';
import { gamesCommand } from './commands/games.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { sourcesCommand } from './commands/sources.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { teamsCommand } from './commands/teams.ts';
import { usageCommand } from './commands/usage.ts';
import { verifyCommand } from './commands/verify.ts';
import { CommandFailure, exitCodes } from './session/command.ts';

const program = new Command('sds').description('Sports Data Service: run it and look after it').exitOverride();
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
  verifyCommand,
  epochCommand,
];
for (const make of commands) program.addCommand(underProgram(make()));

const told = [process.stdout, process.stderr].map(untilTold);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
for (const wait of told) await wait();
// What could not be closed in time keeps no process alive.
process.exit();

/** Waits for what is still on its way into a pipe, which the exit would cut off; a reader that has gone away wants no more. */
function untilTold(stream: NodeJS.WriteStream): () => Promise<void> {
  const gone = Promise.withResolvers<void>();
  stream.on('error', () => gone.resolve());
  return async () => {
    if (stream.writableLength === 0) return;
    await Promise.race([gone.promise, new Promise<void>((done) => stream.write('', () => done()))]);
  };
}

/** The command and those below it, which end as the program does: without this, bad usage of theirs would exit with 1 on the spot. */
function underProgram(command: Command): Command {
  command.copyInheritedSettings(program);
  command.commands.forEach(underProgram);
  return command;
}

/** Says what went wrong in one line, and with which exit code that ends. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`sds: ${failure.message}\n`);
  if (failure instanceof CommandFailure) return failure.exitCode;
  if (failure instanceof SettingError) return exitCodes.usage;
  return failure instanceof DataDirInUse ? exitCodes.refused : exitCodes.failed;
}
