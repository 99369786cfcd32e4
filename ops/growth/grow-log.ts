// Adds partitions to the log of a running service, in the order in which nothing can go wrong: no process of an older release any more,
// then the partitions, then an owner for each, then the layout by which games are founded. Ended anywhere, it can be run again.
import { type Counts, type Growth, planGrowth, unclaimed } from '../../core/log-growth.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { LogLayout, LogLayoutsCatalog, OlderProcess } from '../../core/ports/catalog/log-layouts.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Micros, Millis } from '../../core/units.ts';
import { growingTopics } from '../../schemas/events/topics.ts';
import { type OpenProgress, openProgress } from '../session/progress.ts';

type GrowthTools = {
  broker: Pick<Broker, 'partitions' | 'addPartitions'>;
  layouts: LogLayoutsCatalog;
  operations: Pick<OperationsCatalog, 'streams'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
  actor: string;
  interrupted: AbortSignal;
};

export type PlannedGrowth = { growth: Growth; held: Counts; newest: LogLayout };

/**
 * What became of it; games go on being founded as before unless it is `grown`. `unclaimed`: partitions without an owner. `older`: processes
 * that would divide keys by the number of partitions that they find.
 */
export type Grown =
  | { kind: 'grown' }
  | { kind: 'interrupted' }
  | { kind: 'overtaken' }
  | { kind: 'older'; processes: readonly OlderProcess[] }
  | { kind: 'unclaimed'; partitions: readonly string[] };

const lookEveryMs: Millis = 250;

/** Changes nothing but that it records layout 0 where no process has. */
export async function planLogGrowth(
  { broker, layouts }: Pick<GrowthTools, 'broker' | 'layouts'>,
  wanted: number,
): Promise<PlannedGrowth> {
  const held: [string, number][] = [];
  for (const topic of growingTopics) {
    const partitions = await broker.partitions(topic);
    await layouts.begin(topic, partitions);
    held.push([topic, partitions]);
  }
  const newest = (await layouts.newest()) as LogLayout;
  const counts = Object.fromEntries(held) as Counts;
  return { growth: planGrowth(counts, newest, wanted), held: counts, newest };
}

/** Carries out the plan; waits for owners for at most `patience`. */
export async function growLog(
  tools: GrowthTools,
  { layout, adds }: Extract<Growth, { kind: 'grow' }>,
  patience: Micros,
  open: OpenProgress = openProgress,
): Promise<Grown> {
  const { broker, layouts, operations, clock, interrupted } = tools;
  const before = await layouts.olderProcesses();
  if (before.length > 0) return { kind: 'older', processes: before };
  await layouts.keepOlderOut();
  for (const { topic, to } of adds) await broker.addPartitions(topic, to);
  const begun = clock.now();
  const all = unclaimed(layout, await operations.streams()).length;
  using progress = open({ unit: 'partitions', all });
  for (;;) {
    // One that was starting when the database began to refuse older ones reports now.
    const processes = await layouts.olderProcesses();
    if (processes.length > 0) return { kind: 'older', processes };
    const waiting = unclaimed(layout, await operations.streams());
    progress.at(all - waiting.length);
    if (waiting.length === 0) break;
    if (interrupted.aborted) return { kind: 'interrupted' };
    if (clock.now() - begun > patience)
      return { kind: 'unclaimed', partitions: waiting.map(({ projector, partition }) => `${projector}/${partition}`) };
    await clock.sleep(lookEveryMs, interrupted);
  }
  return { kind: (await layouts.add(layout, tools.actor)) ? 'grown' : 'overtaken' };
}
