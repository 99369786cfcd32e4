// `sds migrate`: brings the catalog's schema up to this version. Safe to repeat; every start does it too.
import { Command } from 'commander';
import { print, withCatalogs } from '../command.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database schema up to this version')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async () => print(command, { migrated: true }, 'the schema is up to date')),
    );
}
