// `sds migrate`: brings the catalog's schema, its roles and their rights up to this version. Safe to repeat; every start does what is
// missing, except the start of an API alone.
import { Command } from 'commander';
import { print, withCatalogs } from '../session/command.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database schema, its roles and their rights up to this version')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async () => print(command, { migrated: true }, 'the schema is up to date'), 'migrate'),
    );
}
