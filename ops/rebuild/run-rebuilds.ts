// Runs planned rebuilds for a command: reports its progress after each log, and the outcome of all at the end.
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { RebuildProgress } from '../../core/ports/catalog/rebuilds.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { CommandFailure, type Session } from '../session/command.ts';
import { openSteps, paceText } from '../session/progress.ts';
import { leftOutText, type PlannedRebuild, type RebuildPlan } from './plan-rebuild.ts';
import { type Outcome, rebuildLogs } from './rebuild-logs.ts';

export type Rebuilt = { game_id: string; partition: number; generation: number; rows_before: number; rows: number };

/** `failure`: why not all of them are rebuilt. */
export async function runRebuilds(
  session: Session,
  planned: readonly PlannedRebuild[],
): Promise<{ rebuilt: readonly Rebuilt[]; failure: CommandFailure | null }> {
  const { catalogs, actor, interrupted } = session;
  const tools = { catalogs, broker: await session.broker(), clock: systemClock, actor, interrupted };
  const stepDone = openSteps({ steps: 'games', unit: 'rows', sizes: planned.map(({ rows }) => rows) });
  const rebuilt: Rebuilt[] = [];
  const voids: string[] = [];
  let last: Outcome['kind'] = 'rebuilt';
  const sayWithin = (within: RebuildProgress): void => {
    // Another command's order may be carried out meanwhile; and the last news of a game may come after its outcome.
    const game = planned[rebuilt.length + voids.length]?.game;
    if (game?.uuid === within.key) process.stderr.write(`${game.gameId}: ${withinText(within)}\n`);
  };
  // Without these news the command only says less.
  const stop = await catalogs.rebuilds.watchProgress(sayWithin).catch(() => async () => {});
  try {
    for await (const { plan, outcome } of rebuildLogs(tools, planned)) {
      const { gameId } = plan.game;
      last = outcome.kind;
      if (outcome.kind === 'void') {
        voids.push(gameId);
        stepDone(`${gameId} is not rebuilt`);
      }
      if (outcome.kind !== 'rebuilt') continue;
      const { generation, rows } = outcome;
      rebuilt.push({ game_id: gameId, partition: plan.partition, generation, rows_before: plan.rows, rows });
      stepDone(`${gameId}, ${rows} rows`);
    }
  } catch (error) {
    if (!(error instanceof CatalogUnavailable || error instanceof BrokerUnavailable)) throw error;
    const text = `${error.message}; ${doneText(rebuilt, planned)}: run it again for the others`;
    return { rebuilt, failure: new CommandFailure('failed', text) };
  } finally {
    await stop();
  }
  const isDone = rebuilt.length === planned.length;
  return { rebuilt, failure: isDone ? null : failureOf(last, voids, doneText(rebuilt, planned)) };
}

/** What became of the plan: how many logs are rebuilt, and which were left out. */
export function rebuiltText(rebuilt: readonly Rebuilt[], { planned, leftOut }: RebuildPlan): string {
  return [doneText(rebuilt, planned), ...leftOut.map(leftOutText)].join('\n');
}

function doneText(rebuilt: readonly Rebuilt[], planned: readonly PlannedRebuild[]): string {
  return `${rebuilt.length} of ${planned.length} logs rebuilt`;
}

function withinText({ read, all, took }: RebuildProgress): string {
  return `${read} of ${all} records, ${paceText('records', read, all - read, took)}`;
}

function failureOf(last: Outcome['kind'], voids: readonly string[], done: string): CommandFailure {
  if (last === 'held-by-another') return new CommandFailure('refused', `another rebuild runs; ${done}`);
  if (last === 'interrupted') return new CommandFailure('failed', `interrupted; ${done}: run it again for the others`);
  if (last === 'unanswered') {
    const why = 'no projector has come to the order yet, and one will when it runs';
    return new CommandFailure('failed', `${why}; ${done}; see ./sds status`);
  }
  const why = 'settled or rebuilt meanwhile, or their records are deleted; the log of the projectors says which';
  return new CommandFailure('failed', `${voids.join(', ')} not rebuilt: ${why}`);
}
