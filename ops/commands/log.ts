// `sds log`: adds partitions, and rebuilds live logs from the records of the log (docs/operations.md#rebuilding-logs).
import { Command, Option } from 'commander';
import {
  leftOutText,
  type PlannedRebuild,
  planRebuild,
  type RebuildPlan,
  type RebuildScope,
} from '../rebuild/plan-rebuild.ts';
import { rebuiltText, runRebuilds } from '../rebuild/run-rebuilds.ts';
import {
  CommandFailure,
  confirm,
  leagueOf,
  print,
  type Session,
  wholeNumber,
  withCatalogs,
} from '../session/command.ts';
import { wholeLog } from '../session/whole-log.ts';
import { logGrowCommand } from './log-grow.ts';

type Options = { league?: string; partition?: string; yes?: true };

export function logCommand(): Command {
  const log = new Command('log').description('the live logs of games, and the partitions that they are folded from');
  log.addCommand(logGrowCommand());
  log
    .command('rebuild')
    .description('rebuild live logs from the records of the log, in place of the served ones')
    .argument('[game]', 'public id or UUID; omit with --league or --partition')
    .addOption(new Option('--league <league>', 'every game of the league that is not settled').conflicts('partition'))
    .option('--partition <number>', 'every game of the partition that is not settled')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: Options, command: Command) => {
      const asked = askedOf(id, options);
      return withCatalogs((session) => rebuild(session, asked, options, command));
    });
  return log;
}

/** @throws CommandFailure usage */
function askedOf(game: string | undefined, { league, partition }: Options): RebuildScope {
  const given = [game, league, partition].filter((each) => each !== undefined);
  if (given.length !== 1) throw new CommandFailure('usage', 'name a game, or --league, or --partition: one of them');
  if (game !== undefined) return { game };
  if (league !== undefined) return { league: leagueOf(league) };
  return { partition: wholeNumber('--partition', partition ?? '', 0, 1_000_000) };
}

async function rebuild(session: Session, asked: RebuildScope, options: Options, command: Command): Promise<void> {
  const plan = await planRebuild({ catalogs: session.catalogs, broker: await wholeLog(session) }, asked);
  const { planned, leftOut } = plan;
  if (planned.length === 0) {
    const why = leftOut.map(({ gameId, reason }) => `${gameId} ${reason}`).join('; ') || 'no game of it has a live log';
    throw new CommandFailure('refused', `nothing can be rebuilt: ${why}`);
  }
  await confirm(planText(plan), nameOf(asked, planned), options.yes === true);
  const { rebuilt, failure } = await runRebuilds(session, planned);
  const left_out = leftOut.map(({ gameId, reason }) => ({ game_id: gameId, reason }));
  print(command, { games: rebuilt, left_out }, rebuiltText(rebuilt, plan));
  if (failure !== null) throw failure;
}

function nameOf(asked: RebuildScope, planned: readonly PlannedRebuild[]): string {
  if ('game' in asked) return planned[0]?.game.gameId ?? asked.game;
  return 'league' in asked ? asked.league : `partition ${asked.partition}`;
}

function planText({ planned, leftOut }: RebuildPlan): string {
  const rows = planned.reduce((sum, each) => sum + each.rows, 0);
  const records = planned.reduce((sum, each) => sum + each.records, 0);
  const [first] = planned;
  const what = planned.length === 1 ? `the log of ${first?.game.gameId}` : `the logs of ${planned.length} games`;
  const without = leftOut.map((each) => `; ${leftOutText(each)}`).join('');
  return `${what}, ${rows} rows, will be folded anew from ${records} records; cursors of the old ones are answered live-cursor-reset, and rows that are paid for stay so${without}`;
}
