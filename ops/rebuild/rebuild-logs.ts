// Has the logs of games rebuilt, one after another: each by an order in the game's own partition, which its projector carries out and
// commits with all its effects. Whatever is killed, an order in the log is carried out exactly once, and one that is not in the log has no
// effect.
import type { Broker } from '../../core/ports/broker.ts';
import type { LeaseName } from '../../core/ports/catalog/leases.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { Millis } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { Catalogs } from '../service/catalogs.ts';
import { giveUp } from '../session/command-lease.ts';
import type { PlannedRebuild } from './plan-rebuild.ts';

export type RebuildTools = {
  catalogs: Pick<Catalogs, 'live' | 'checkpoints' | 'leases' | 'operations'>;
  broker: Pick<Broker, 'produce'>;
  clock: Clock;
  actor: string;
  interrupted: AbortSignal;
};

/**
 * `void`: the projector has folded the order but not carried it out, because the game has settled, its log was rebuilt meanwhile, or its
 * records are deleted. `unanswered`: no projector has reached the order; it will when one runs.
 */
export type Outcome =
  | { kind: 'rebuilt'; generation: number; rows: number }
  | { kind: 'void' | 'unanswered' | 'interrupted' | 'held-by-another' };

const lease: LeaseName = 'log-rebuild';
const lookEveryMs: Millis = 250;
/** How long a projector may take to reach an order, plus a time per row. */
const patienceMs: Millis = 60_000;
const patienceOfRowMs: Millis = 1;

/** The outcome of each order, as it comes. Ends after the first that is neither rebuilt nor void. */
export async function* rebuildLogs(
  tools: RebuildTools,
  planned: readonly PlannedRebuild[],
): AsyncGenerator<{ plan: PlannedRebuild; outcome: Outcome }> {
  const { leases } = tools.catalogs;
  try {
    for (const plan of planned) {
      const outcome = await rebuildLog(tools, plan);
      yield { plan, outcome };
      if (outcome.kind !== 'rebuilt' && outcome.kind !== 'void') return;
    }
  } finally {
    await giveUp(leases, lease);
  }
}

async function rebuildLog(tools: RebuildTools, plan: PlannedRebuild): Promise<Outcome> {
  const { catalogs, broker, clock, actor, interrupted } = tools;
  const { game, partition, generation, rows } = plan;
  if (interrupted.aborted) return { kind: 'interrupted' };
  if (!(await catalogs.leases.hold(lease))) return { kind: 'held-by-another' };
  await catalogs.operations.audit(actor, 'log rebuild', game.gameId, { generation, rows });
  const record = { ...blankRecord(game, 'service', clock.now()), rebuild: { generation } };
  const ends = await broker.produce(topics.quotes, [{ key: game.uuid, value: record }]);
  const end = ends.get(partition) ?? Number.POSITIVE_INFINITY;
  const deadline = clock.now() + (patienceMs + rows * patienceOfRowMs) * 1_000;
  while (!interrupted.aborted) {
    // In this order, because the outcome of a folded order is already published.
    const folded = (await catalogs.checkpoints.nextOffsets('live', topics.quotes)).get(partition) ?? 0;
    const log = await catalogs.live.servedLog(game.uuid);
    if (log !== null && log.generation >= generation)
      return { kind: 'rebuilt', generation: log.generation, rows: log.rows };
    if (folded >= end) return { kind: 'void' };
    if (clock.now() > deadline) return { kind: 'unanswered' };
    if (!(await catalogs.leases.hold(lease))) return { kind: 'held-by-another' };
    await clock.sleep(lookEveryMs, interrupted);
  }
  return { kind: 'interrupted' };
}
