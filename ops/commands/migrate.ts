// `sds migrate`: brings the database's schema, its roles and their rights up to this version. Safe to repeat. No other command does it
// (docs/operations.md#migrations).
import { Command } from 'commander';
import { readSettings } from '../../platform/config/settings.ts';
import { migrateDatabase, planMigrations } from '../service/drivers.ts';
import { openCommandLog, print } from '../session/command.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database schema, its roles and their rights up to this version')
    .option('--plan', 'show what is missing, and change nothing')
    .option('--json', 'print JSON')
    .action(async (options: { plan?: true }, command: Command) => {
      const settings = readSettings();
      const log = openCommandLog(settings);
      if (options.plan === true) return showPlan(command, await planMigrations(settings, log));
      const { applied, newer } = await migrateDatabase(settings, log);
      const done = applied.length === 0 ? '' : `applied ${applied.join(', ')}\n`;
      const text = newer.length > 0 ? `${isNewer} (${newer.join(', ')})` : `${done}the schema is up to date`;
      print(command, { migrated: true, applied, newer }, text);
    });
}

/** Exit code 0: a roll-back runs the older version's migration first, as each roll-out does, and would end there. */
const isNewer = 'the schema is that of a newer version, which this one can use: nothing to do';

function showPlan(command: Command, { pending, newer, rights }: Awaited<ReturnType<typeof planMigrations>>): void {
  const lines = [...pending, ...(rights ? ['the rights of the roles'] : [])];
  const upToDate = newer.length === 0 ? 'the schema is up to date' : `the schema is newer, with ${newer.join(', ')}`;
  const text = lines.length === 0 ? upToDate : ['`./sds migrate` applies:', ...lines].join('\n');
  print(command, { pending, rights, newer }, text);
}
