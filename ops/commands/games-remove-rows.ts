// `sds games remove-rows`: removes rows that must not stay published from the final files of a settled game; the audit trail keeps the
// reason.
import { Command } from 'commander';
import type { RowSpan, SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import { countOf, mergedSpans, spansText, spansWithout } from '../../core/settlement/row-spans.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { emptiedFinals } from '../../projectors/settlement/emptied-finals.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { CommandFailure, confirm, print, type Session, withCatalogs } from '../session/command.ts';
import { notBuiltYet, waitForSettlement } from '../settlement/wait-until-built.ts';

type Options = { rows: string; reason: string; yes?: true };

export function removeRowsCommand(): Command {
  return new Command('remove-rows')
    .description('rebuild the final files of a settled game without some of its rows; permanent, and audited')
    .argument('<game>', 'public id or UUID')
    .requiredOption('--rows <n,n-m>', 'row numbers and spans')
    .requiredOption('--reason <text>', 'the reason, for the audit trail')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((id: string, options: Options, command: Command) =>
      withCatalogs((session) => removeRows(session, id, options, command)),
    );
}

async function removeRows(session: Session, id: string, options: Options, command: Command): Promise<void> {
  const { games, artifacts, settlement } = session.catalogs;
  const spans = mergedSpans(readSpans(options.rows));
  const reason = options.reason.trim();
  if (reason === '') throw new CommandFailure('usage', '--reason is empty: say why these rows are removed');
  const game = await games.find(id);
  if (game === null) throw new CommandFailure('failed', `no game ${id}`);
  const before = await artifacts.artifact(game.uuid, sportsbookLines.name, null);
  if (before === null)
    throw new CommandFailure('refused', `${game.gameId} has no final sportsbook lines to remove rows from`);
  const inputs = await settlement.inputs(game.uuid);
  if (inputs === null) throw new CommandFailure('refused', `${game.gameId} is not settled`);
  refuseAbsent(game.gameId, inputs, spans);
  const tools = { objects: await session.objects(), parquet: parquetWriter, live: session.catalogs.live };
  const emptied = await emptiedFinals(tools, inputs, spans);
  if (emptied.length > 0)
    throw new CommandFailure(
      'refused',
      `without these rows ${emptied.join(' and ')} of ${game.gameId} would have none, and a final file must not be empty; nothing was done`,
    );
  const plan = `rows ${spansText(spans)}, ${countOf(spans)} of ${before.rows}, leave every final file of ${game.gameId}; earlier versions stay readable by their number`;
  await confirm(plan, game.gameId, options.yes === true);
  const order = { uuid: game.uuid, gameId: game.gameId };
  if ((await settlement.orderRemoval(order, spans, reason, session.actor, inputs.removed)) === 'overtaken')
    throw new CommandFailure(
      'refused',
      `another removal from ${game.gameId} was ordered meanwhile; nothing was done: run this one again`,
    );
  const waiting = { settlement, clock: systemClock, interrupted: session.interrupted };
  const state = await waitForSettlement(waiting, game.uuid, ({ built }) => built);
  if (state === null) throw notBuiltYet(game.gameId, session.interrupted);
  const after = await artifacts.artifact(game.uuid, sportsbookLines.name, null);
  const facts = {
    game_id: game.gameId,
    version: after?.version ?? before.version,
    row_count: after?.rows ?? before.rows,
  };
  print(command, facts, `${game.gameId}: ${before.rows - facts.row_count} rows removed, version ${facts.version}`);
}

/** @throws CommandFailure refused: the newest version lacks one of the rows, or would have none left */
function refuseAbsent(
  gameId: string,
  { removed, closed }: Pick<SettlementInputs, 'removed' | 'closed'>,
  spans: readonly RowSpan[],
): void {
  const logged: RowSpan[] = [[1, closed.rows]];
  const unknown = spansWithout(spans, logged);
  if (unknown.length > 0)
    throw new CommandFailure(
      'refused',
      `${gameId} has no rows ${spansText(unknown)}: its log ends with row ${closed.rows}; nothing was done`,
    );
  const there = spansWithout(logged, removed);
  const gone = spansWithout(spans, there);
  if (gone.length > 0)
    throw new CommandFailure('refused', `rows ${spansText(gone)} of ${gameId} were removed before; nothing was done`);
  if (spansWithout(there, spans).length === 0)
    throw new CommandFailure(
      'refused',
      `these are all rows of ${gameId}, and a final file must not be empty; nothing was done`,
    );
}

/** @throws CommandFailure usage */
function readSpans(text: string): RowSpan[] {
  return text.split(',').map((part) => {
    const [, first, last] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(part) ?? [];
    const span: RowSpan = [Number(first), Number(last ?? first)];
    if (first === undefined || span[0] < 1 || span[1] < span[0])
      throw new CommandFailure(
        'usage',
        `--rows: ${JSON.stringify(part)} is not a row number or a span; give for example 12,40-45`,
      );
    return span;
  });
}
