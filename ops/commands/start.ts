// `sds start`: runs the service in this process, by default all of it. `npm start` is this with the demo slate.
import { Command } from 'commander';
import { settingsHelp } from '../../platform/config/settings.ts';
import { type Role, roles } from '../service/roles.ts';
import { CommandFailure } from '../session/command.ts';

export function startCommand(): Command {
  return new Command('start')
    .description('run the service')
    .argument('[role...]', `roles to run in this process: ${roles.join(', ')}, or all`, ['all'])
    .option('--migrate', 'first bring the database schema up to this version; the embedded edition always does')
    .addHelpText('after', `\nSettings, from the environment:\n${settingsHelp()}`)
    .action(async (asked: string[], options: { migrate?: true }) => {
      const chosen = chosenRoles(asked);
      // Loaded only here, so that the other commands start quickly.
      const { runService } = await import('../service/run-service.ts');
      await runService(chosen, options.migrate === true);
    });
}

function chosenRoles(asked: readonly string[]): readonly Role[] {
  const unknown = asked.find((name) => name !== 'all' && !roles.some((role) => role === name));
  if (unknown !== undefined)
    throw new CommandFailure('usage', `${unknown} is not a role; use ${roles.join(', ')} or all`);
  return asked.includes('all') ? roles : roles.filter((role) => asked.includes(role));
}
