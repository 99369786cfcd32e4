// `sds log grow`: adds partitions to the log while the service runs (docs/operations.md#adding-partitions).
import { Command } from 'commander';
import type { OlderProcess } from '../../core/ports/catalog/log-layouts.ts';
import { microsPerSecond } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { growingTopics } from '../../schemas/events/topics.ts';
import { type Grown, growLog, type PlannedGrowth, planLogGrowth } from '../growth/grow-log.ts';
import { CommandFailure, confirm, print, type Session, wholeNumber, withCatalogs } from '../session/command.ts';
import { firstFew } from '../session/first-few.ts';

type Options = { partitions: string; wait: string; yes?: true };

const mostPartitions = 10_000;

export function logGrowCommand(): Command {
  return new Command('grow')
    .description('add partitions for the games that are founded from now on, while the service runs')
    .requiredOption('--partitions <number>', 'how many the topics of quotes and observations are to have')
    .option('--wait <seconds>', 'how long to wait for projectors that own the new partitions', '120')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) => {
      const wanted = wholeNumber('--partitions', options.partitions, 1, mostPartitions);
      const seconds = wholeNumber('--wait', options.wait, 1, 86_400);
      return withCatalogs((session) => grow(session, wanted, seconds, options.yes === true, command));
    });
}

async function grow(session: Session, wanted: number, seconds: number, yes: boolean, command: Command): Promise<void> {
  const { catalogs, actor, interrupted } = session;
  const broker = await session.broker();
  const tools = { broker, layouts: catalogs.logLayouts, operations: catalogs.operations, clock: systemClock };
  const planned = await planLogGrowth(tools, wanted);
  const { growth, newest } = planned;
  if (growth.kind === 'refused') {
    const { topic, partitions } = growth;
    throw new CommandFailure(
      'refused',
      `games of ${topic} are in ${partitions} partitions, and none is ever taken away`,
    );
  }
  const before = newest.partitions;
  if (growth.kind === 'done') {
    const text = `new games are founded among ${wanted} partitions already; nothing was done`;
    print(command, { layout: newest.layout, before, partitions: before, grown: false }, text);
    return;
  }
  const older = await catalogs.logLayouts.olderProcesses();
  if (older.length > 0) throw olderRun(older);
  await confirm(planText(planned, wanted), String(wanted), yes);
  const grown = await growLog({ ...tools, actor, interrupted }, growth, seconds * microsPerSecond);
  if (grown.kind === 'older') throw olderRun(grown.processes);
  if (grown.kind === 'overtaken')
    throw new CommandFailure('refused', 'another sds log grow was faster: run this one again');
  const failure = failureOf(grown);
  if (failure !== null) throw new CommandFailure('failed', failure);
  const { layout, partitions } = growth.layout;
  const text = `layout ${layout}: new games are founded among ${wanted} partitions; the others stay where they are`;
  print(command, { layout, before, partitions, grown: true }, text);
}

function planText({ held, newest }: PlannedGrowth, wanted: number): string {
  const adds = growingTopics.map(
    (topic) => `${topic} has ${held[topic]} partitions, of which games use ${newest.partitions[topic]}`,
  );
  return `${adds.join('; ')}; both are to have ${wanted}, for games that are founded from then on, and partitions are never taken away again; older releases cannot be started from then on`;
}

function olderRun(processes: readonly OlderProcess[]): CommandFailure {
  const now = systemClock.now();
  const reportAge = ({ roles, heardAt }: OlderProcess): string =>
    `${roles}, heard of ${Math.max(0, Math.round((now - heardAt) / microsPerSecond))} s ago`;
  return new CommandFailure(
    'refused',
    `processes of an older release run (${processes.map(reportAge).join('; ')}): they would put records of new games into wrong partitions; restart them with this release, then run the command again: games are founded as before`,
  );
}

/** Null: it is done. */
function failureOf(grown: Exclude<Grown, { kind: 'older' | 'overtaken' }>): string | null {
  const asBefore = 'games are founded as before; run the command again';
  if (grown.kind === 'grown') return null;
  if (grown.kind === 'interrupted') return `interrupted: ${asBefore}`;
  const { partitions } = grown;
  return `no projector has claimed ${firstFew(partitions)}: ${asBefore} once projectors run`;
}
