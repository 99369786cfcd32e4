// `sds teams`: the names that find teams. A name that a source reports applies to that source only; the administrator adds names for all
// sources, on their own or by confirming a reported one.
import { Command } from 'commander';
import { foldTeamName } from '../../core/games/team-directory.ts';
import type { ReportedName } from '../../core/ports/catalog/games.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import {
  CommandFailure,
  confirm,
  leagueOf,
  print,
  type Session,
  sourceOf,
  table,
  withCatalogs,
} from '../session/command.ts';

type AliasOptions = { confirm?: true; source?: string; yes?: true };

export function teamsCommand(): Command {
  const teams = new Command('teams').description('team names');
  teams
    .command('alias')
    .description('add a name of a team, for every source; games that waited for it get their public id')
    .argument('<league>', 'league code')
    .argument('<name>', 'the name as sources write it')
    .argument('<abbreviation>', 'abbreviation of the team')
    .option('--confirm', 'only if a source has reported this name for the team')
    .option('--source <source>', 'with --confirm: only if this source has reported it')
    .option('--yes', 'take the name from another team without asking')
    .option('--json', 'print JSON')
    .action((league: string, name: string, abbreviation: string, options: AliasOptions, command: Command) =>
      withCatalogs((session) =>
        addAlias(session, leagueOf(league), name, abbreviation.toUpperCase(), options, command),
      ),
    );
  teams
    .command('aliases')
    .description('names that sources have reported for teams, and for which sources they apply')
    .option('--league <league>', 'of this league only')
    .option('--unconfirmed', 'only those that apply to their source alone')
    .option('--json', 'print JSON')
    .action((options: { league?: string; unconfirmed?: true }, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const league = options.league === undefined ? null : leagueOf(options.league);
        const reported = await catalogs.games.reportedNames(league, options.unconfirmed === true);
        const data = reported.map(({ forAll, ...each }) => ({ ...each, for_all: forAll }));
        const rows = reported.map((each) => [each.league, each.name, each.abbreviation, each.source, holdsFor(each)]);
        print(command, { data }, table(['league', 'name', 'team', 'reported by', 'holds for'], rows));
      }),
    );
  return teams;
}

function holdsFor({ source, abbreviation, forAll }: ReportedName): string {
  if (forAll === abbreviation) return 'all';
  return forAll === null ? `${source} alone` : `no source: it is ${forAll} for all`;
}

async function addAlias(
  { catalogs, actor }: Session,
  league: League,
  name: string,
  team: string,
  options: AliasOptions,
  command: Command,
): Promise<void> {
  if (name.trim() === '') throw new CommandFailure('usage', 'the name is empty');
  if (options.source !== undefined && options.confirm !== true)
    throw new CommandFailure('usage', '--source requires --confirm: without it you add the name on your own authority');
  const confirmed =
    options.confirm === true ? await reportersOf(catalogs.games, league, name, team, options.source) : null;
  const before = await catalogs.games.aliasedTeam(league, name);
  const taken = before === null || before === team ? null : before;
  if (taken !== null)
    await confirm(`${name} means ${league} ${taken} now, and will mean ${league} ${team}`, name, options.yes === true);
  const answer = await catalogs.games.addAlias(league, name, team);
  if (answer === null) throw new CommandFailure('failed', `no team ${team} in ${league}`);
  const facts = { name, taken_from: taken, minted: answer.minted, confirmed };
  await catalogs.operations.audit(actor, 'teams alias', `${league} ${team}`, facts);
  const minted = answer.minted.length === 0 ? 'no game waited for it' : `minted ${answer.minted.join(', ')}`;
  const lost = taken === null ? '' : `, no longer ${taken}`;
  print(command, { league, abbreviation: team, ...facts }, `${name} is ${team} for all sources${lost}; ${minted}`);
}

/** The sources that reported it. @throws CommandFailure failed: none, or not this one */
async function reportersOf(
  games: Session['catalogs']['games'],
  league: League,
  name: string,
  team: string,
  source: string | undefined,
): Promise<string[]> {
  const asked = source === undefined ? null : sourceOf(source);
  const reported = (await games.reportedNames(league, false)).filter(
    (each) => foldTeamName(each.name) === foldTeamName(name) && each.abbreviation === team,
  );
  const sources = reported.map((each) => each.source).filter((each) => asked === null || each === asked);
  if (sources.length > 0) return sources;
  throw new CommandFailure(
    'failed',
    `${asked === null ? 'no source has' : `${asked} has not`} reported that ${league} ${team} is called ${name}; ./sds teams aliases lists what sources have reported`,
  );
}
