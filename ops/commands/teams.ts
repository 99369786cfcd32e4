// `sds teams alias`: gives a team one more name, and mints the games that waited for it. A name that stands for another team is taken from
// that one only when it is asked for.
import { Command } from 'commander';
import { CommandFailure, confirm, leagueOf, print, withCatalogs } from '../command.ts';

export function teamsCommand(): Command {
  const teams = new Command('teams').description('team names');
  teams
    .command('alias')
    .description('let a name stand for a team; games that waited for it get their public id')
    .argument('<league>', 'league code')
    .argument('<name>', 'the name as sources write it')
    .argument('<abbreviation>', 'abbreviation of the team')
    .option('--yes', 'take the name from another team without asking')
    .option('--json', 'print JSON')
    .action((league: string, name: string, abbreviation: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        const code = leagueOf(league);
        if (name.trim() === '') throw new CommandFailure('usage', 'the name is empty');
        const team = abbreviation.toUpperCase();
        const before = await catalogs.games.aliasedTeam(code, name);
        const taken = before === null || before === team ? null : before;
        if (taken !== null)
          await confirm(
            `${name} stands for ${code} ${taken}, and will stand for ${code} ${team}`,
            name,
            options.yes === true,
          );
        const answer = await catalogs.games.addAlias(code, name, team);
        if (answer === null) throw new CommandFailure('failed', `no team ${abbreviation} in ${code}`);
        await catalogs.operations.audit(actor, 'teams alias', `${code} ${team}`, {
          name,
          taken_from: taken,
          minted: answer.minted,
        });
        const minted = answer.minted.length === 0 ? 'no game waited for it' : `minted ${answer.minted.join(', ')}`;
        print(
          command,
          { league: code, name, abbreviation: team, taken_from: taken, minted: answer.minted },
          `${name} is ${team}${taken === null ? '' : `, no longer ${taken}`}; ${minted}`,
        );
      }),
    );
  return teams;
}
