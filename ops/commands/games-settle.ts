// `sds games settle`: closes a game at once, sets or withdraws a manual score, or rebuilds its final files. The projectors do the work; the
// command orders it and shows the result.
import { Command } from 'commander';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { Scores } from '../../core/settlement/evidence.ts';
import { faultOfPeriods, readManualScore } from '../../core/settlement/manual-score.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { CommandFailure, confirm, print, type Session, table, withCatalogs } from '../session/command.ts';
import { type SpanOptions, settleAgain } from '../settlement/settle-again.ts';
import { notBuiltYet, waitForSettlement } from '../settlement/wait-until-built.ts';

/** `score` false: `--no-score` withdraws the manual score. */
type Options = { score?: string | false; periods?: string; again?: true; yes?: true } & SpanOptions;

export function settleCommand(): Command {
  return new Command('settle')
    .description('close a game now, whatever its status, and land its final files')
    .argument('[game]', 'public id or UUID; omit with --again for every settled game of the span')
    .option('--score <away-home>', 'a manual final score, which overrides every other')
    .option('--periods <a-h,…>', 'the scores of its periods, with --score')
    .option('--no-score', 'withdraw a manual score')
    .option('--again', 'rebuild the final files with the rules of this release')
    .option('--league <league>', 'with --again: games of this league only')
    .option('--from <date>', 'with --again: from this date on')
    .option('--to <date>', 'with --again: up to this date')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: Options, command: Command) =>
      withCatalogs(async (session) => {
        const score = scoreOf(options);
        if (id === undefined) {
          if (options.again !== true || score !== undefined)
            throw new CommandFailure('usage', 'name a game, or a span with --again, such as --again --league NBA');
          await settleAgain(session, options, command);
          return;
        }
        if (options.league !== undefined || options.from !== undefined || options.to !== undefined)
          throw new CommandFailure('usage', 'a game or a span of games, not both');
        const game = await session.catalogs.games.find(id);
        if (game === null) throw new CommandFailure('failed', `no game ${id}`);
        const fault = score == null ? null : faultOfPeriods(game.league as League, score);
        if (fault !== null) throw new CommandFailure('usage', fault);
        await settle(session, game, score, options, command);
      }),
    );
}

/** The score to set, null to withdraw it, undefined to leave it. @throws CommandFailure usage */
function scoreOf({ score, periods }: Options): Scores | null | undefined {
  if (typeof score !== 'string') {
    if (periods !== undefined) throw new CommandFailure('usage', '--periods goes with --score AWAY-HOME');
    return score === false ? null : undefined;
  }
  const read = readManualScore(score, periods ?? null);
  if (read.kind === 'refused') throw new CommandFailure('usage', read.problem);
  return read.scores;
}

async function settle(
  session: Session,
  game: CatalogGame,
  score: Scores | null | undefined,
  options: Options,
  command: Command,
): Promise<void> {
  const { catalogs, actor } = session;
  const { settlement, operations } = catalogs;
  const before = await settlement.state(game.uuid);
  const isClosed = before !== null && before.closedAt !== null;
  const steps = [
    ...(isClosed ? [] : [`closes with status ${game.status}: its live log ends`]),
    ...(score === undefined
      ? []
      : [score === null ? 'loses its manual score' : `gets the manual score ${options.score}`]),
    ...(options.again === true && isClosed ? ['gets its final files rebuilt'] : []),
  ];
  if (steps.length > 0) await confirm(`${game.gameId} ${steps.join(', and ')}`, game.gameId, options.yes === true);
  const named = { uuid: game.uuid, gameId: game.gameId };
  if (score !== undefined) {
    const partition = await (await session.broker()).partitionOf(topics.quotes, game.uuid);
    await settlement.orderScore({ ...named, partition }, score, actor);
  }
  if (!isClosed) {
    await operations.audit(actor, 'games settle', game.gameId, { status: game.status });
    const record = { ...blankRecord(game, 'service', systemClock.now()), settle: { actor } };
    await (await session.broker()).produce(topics.quotes, [{ key: game.uuid, value: record }]);
  } else if (options.again === true) await settlement.orderAgain(named, actor);
  const waiting = { settlement, clock: systemClock, interrupted: session.interrupted };
  const state = await waitForSettlement(waiting, game.uuid, ({ built }) => built);
  await show(session, game, command);
  if (state === null) throw notBuiltYet(game.gameId, session.interrupted);
}

async function show({ catalogs }: Session, { uuid, gameId }: CatalogGame, command: Command): Promise<void> {
  const { artifacts } = await catalogs.artifacts.served(uuid);
  const shown = artifacts.map(({ dataset, version, rows }) => ({ dataset, version, row_count: rows }));
  const rows = shown.map((each) => [each.dataset, each.version, each.row_count]);
  print(command, { game_id: gameId, artifacts: shown }, table(['final file', 'version', 'rows'], rows));
}
