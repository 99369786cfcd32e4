// `sds`: the administrator's tool, and the entry of the service (docs/operations.md#the-sds-tool). Exit codes: 0 done, 1 failed, 2 bad
// usage, 3 refused.
import { Command, CommanderError } from 'commander';
import { Halted } from '../core/ports/broker.ts';
import { printable } from '../core/printable.ts';
import { SettingError } from '../platform/config/setting-error.ts';
import { DataDirCopied } from '../platform/postgres/embedded-folders.ts';
import { MigrationRefused } from '../platform/postgres/migrate.ts';
import { DataDirInUse } from '../platform/process/data-dir-lock.ts';
import { commands } from './commands/commands.ts';
import { versionOfRelease } from './service/version-of-release.ts';
import { CommandFailure, exitCodes } from './session/command.ts';

const program = new Command('sds')
  .description('Sports Data Service: run and administer it')
  .version(versionOfRelease(), '--version', 'display the version of this release')
  .exitOverride();
const asked = Object.entries(commands).filter(([name]) => name === process.argv[2]);
for (const [, load] of asked.length > 0 ? asked : Object.entries(commands)) {
  const make = await load();
  program.addCommand(underProgram(make()));
}

/** The state forbids the command; the message names the remedy. */
const refusals = [DataDirInUse, DataDirCopied, MigrationRefused, Halted];

const written = [process.stdout, process.stderr].map(untilWritten);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
for (const wait of written) await wait();
// Exit even if something could not be closed in time.
process.exit();

/**
 * Returns a function that waits until the stream's output is written, because exiting would cut it off. Stops waiting if the reader has
 * closed its end.
 */
function untilWritten(stream: NodeJS.WriteStream): () => Promise<void> {
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
  const remedy = failure instanceof Halted ? `; ${failure.remedy}` : '';
  // A feed or an argument may have chosen some of it.
  process.stderr.write(`sds: ${printable(failure.message + remedy)}\n`);
  if (failure instanceof CommandFailure) return failure.exitCode;
  if (failure instanceof SettingError) return exitCodes.usage;
  return refusals.some((kind) => failure instanceof kind) ? exitCodes.refused : exitCodes.failed;
}
