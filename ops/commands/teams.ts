// `sds teams alias`: gives a team one more name, and mints the games that waited for it.
import { Command } from 'commander';
import { CommandFailure, leagueOf, print, withCatalogs } from '../command.ts';

export function teamsCommand(): Command {
  const teams = new Command('teams').description('team names');
  teams
    .command('alias')
    .description('let a name stand for a team; games that waited for it get their public id')
    .argument('<league>', 'league code')
    .argument('<name>', 'the name as sources write it')
    .argument('<abbreviation>', 'abbreviation of the team')
    .option('--json', 'print JSON')
    .action((league: string, name: string, abbreviation: string, _options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        const code = leagueOf(league);
        if (name.trim() === '') throw new CommandFailure('usage', 'the name is empty');
        const answer = await catalogs.games.addAlias(code, name, abbreviation.toUpperCase());
        if (answer === null) throw new CommandFailure('failed', `no team ${abbreviation} in ${code}`);
        await catalogs.operations.audit(actor, 'teams alias', `${code} ${abbreviation}`, {
          name,
          minted: answer.minted,
        });
        const minted = answer.minted.length === 0 ? 'no game waited for it' : `minted ${answer.minted.join(', ')}`;
        print(
          command,
          { league: code, name, abbreviation: abbreviation.toUpperCase(), minted: answer.minted },
          `${name} is ${abbreviation.toUpperCase()}; ${minted}`,
        );
      }),
    );
  return teams;
}
