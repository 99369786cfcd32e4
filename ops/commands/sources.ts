// `sds sources`: the sources, and which of them owns a sportsbook: by rank in all games, by assignment in one.
import { Command } from 'commander';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import { highestRank, isRank, operatorCodeOf } from '../../core/quotes/name-forms.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { topics } from '../../schemas/events/topics.ts';
import { CommandFailure, confirm, leagueOf, print, sourceOf, table, withCatalogs } from '../session/command.ts';
import { nameHint } from '../session/name-hint.ts';

export function sourcesCommand(): Command {
  const sources = new Command('sources').description('the sources of quotes');
  sources
    .command('list')
    .description('sources that have pushed, or have a rank')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const authorities = await catalogs.msfAuthorities.list();
        const data = (await catalogs.pushes.sources()).map((source) => ({
          source: source.source,
          first_seen: formatMicros(source.firstSeen),
          last_seen: formatMicros(source.lastSeen),
          pushes: source.pushes,
          rank: source.rank,
          msf_leagues: authorities.filter((each) => each.source === source.source).map(({ league }) => league),
        }));
        print(
          command,
          { data },
          table(
            ['source', 'first seen', 'last seen', 'pushes', 'rank', 'msf of'],
            data.map((source) => [
              source.source,
              source.first_seen,
              source.last_seen,
              source.pushes,
              source.rank,
              source.msf_leagues.join(',') || null,
            ]),
          ),
        );
      }),
    );
  sources
    .command('assign')
    .description('make a source the owner of a sportsbook in a game')
    .argument('<game>', 'public id or UUID')
    .argument('<operator>', 'operator code')
    .argument('<source>', 'the new owner')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((id: string, operator: string, named: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, broker, actor }) => {
        const source = sourceOf(named);
        const game = await catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const code = operatorCodeOf(operator);
        if (code === null) throw new CommandFailure('usage', `${operator} is not a sportsbook code`);
        const known = (await catalogs.pushes.sources()).map((each) => each.source);
        if (!known.includes(source))
          throw new CommandFailure('failed', `source ${source} has pushed nothing: ${nameHint(source, known)}`);
        const here = (await catalogs.live.servedLog(game.uuid))?.operators ?? {};
        const quoted = Object.keys(here);
        const others = here[code] === undefined ? await catalogs.operations.sportsbooks() : [];
        if (here[code] === undefined && !others.includes(code))
          throw new CommandFailure(
            'failed',
            `no source has quoted ${code} in any live game: ${nameHint(code, [...new Set([...quoted, ...others])])}`,
          );
        // A sportsbook that was assigned before it was quoted here is in no log yet.
        const before = here[code]?.source ?? (await catalogs.operations.assignedOwner(game.gameId, code));
        const owned = before === null ? 'no source owns it there yet' : `its owner is ${before}`;
        const plan = `from now on ${source} owns ${code} in ${game.gameId}; ${owned}`;
        await confirm(plan, game.gameId, options.yes === true);
        await catalogs.operations.audit(actor, 'sources assign', game.gameId, { operator: code, source, before });
        const record = {
          ...blankRecord(game, source, systemClock.now()),
          rank: await catalogs.pushes.rankOf(source),
          owner: { operator: code, owner_source: source },
        };
        await (await broker()).produce(topics.quotes, [{ key: game.uuid, value: record }]);
        const facts = { game_id: game.gameId, operator: code, source, before };
        print(
          command,
          facts,
          `${source} owns ${code} in ${game.gameId}${before === null ? '' : `, no longer ${before}`}`,
        );
      }),
    );
  sources
    .command('assign-msf')
    .description('make a source the authority for MySportsFeeds bodies of a league')
    .argument('<league>', 'league code')
    .argument('<source>', 'the new authority')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((text: string, named: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        const [league, source] = [leagueOf(text), sourceOf(named)];
        const now = (await catalogs.msfAuthorities.list()).find((each) => each.league === league);
        const held = now === undefined ? 'nobody' : `${now.source}, which pushed last at ${formatMicros(now.heardAt)},`;
        const plan = `bodies of ${league} are those of ${held} now, and will be those of ${source}`;
        await confirm(plan, league, options.yes === true);
        const before = (await catalogs.msfAuthorities.assign(league, source))?.source ?? null;
        await catalogs.operations.audit(actor, 'sources assign-msf', league, { source, before });
        print(
          command,
          { league, source, before },
          `${source} is now the authority for MySportsFeeds bodies of ${league}`,
        );
      }),
    );
  sources
    .command('rank')
    .description('set the rank of a source: it takes over sportsbooks from sources of lower rank')
    .argument('<source>', 'the source')
    .argument('<rank>', 'from -1000 to 1000; the default is 0, the demo has -1')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    // A negative rank is not an option.
    .allowUnknownOption()
    .action((named: string, text: string, options: { yes?: boolean }, command: Command) =>
      withCatalogs(async ({ catalogs, actor }) => {
        const source = sourceOf(named);
        const rank = rankFrom(text);
        const now = await catalogs.pushes.rankOf(source);
        const plan = `${source} has rank ${now}, and will have rank ${rank} in its future pushes`;
        await confirm(plan, source, options.yes === true);
        const before = await catalogs.pushes.rankSource(source, rank);
        await catalogs.operations.audit(actor, 'sources rank', source, { rank, before });
        print(command, { source, rank, before }, `${source} has rank ${rank}`);
      }),
    );
  return sources;
}

function rankFrom(text: string): number {
  const rank = /^-?[0-9]{1,4}$/.test(text) ? Number(text) + 0 : Number.NaN;
  if (isRank(rank)) return rank;
  throw new CommandFailure(
    'usage',
    `rank is ${text}, and must be a whole number from ${-highestRank} to ${highestRank}`,
  );
}
