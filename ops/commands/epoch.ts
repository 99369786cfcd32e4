// `sds epoch`: starts a new epoch of a stream from the observations that are kept (docs/revisions.md#epochs).
import { Command, Option } from 'commander';
import { isLeague } from '../../core/leagues.ts';
import { leagueUuid } from '../../core/msf/ids.ts';
import { type MsfDataset, msfDatasets } from '../../core/msf/types.ts';
import type { StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { countKept, logRange } from '../epoch/kept-observations.ts';
import { resetEpoch } from '../epoch/reset-epoch.ts';
import { runningInstances } from '../service/instance-file.ts';
import { CommandFailure, confirm, print, type Session, withCatalogs } from '../session/command.ts';

type Options = { dataset: MsfDataset; scope: string; yes?: true };

/** How long to wait for the projectors to publish the new epoch. */
const patienceMs = 60_000;
const lookEveryMs = 250;
/** For so many looks no projector has been seen: none will publish it. Another process takes over a lease within a second. */
const mostLooksAlone = 12;

export function epochCommand(): Command {
  const epoch = new Command('epoch').description('epochs of the MSF streams');
  epoch
    .command('reset')
    .description('start a new epoch of a stream, rebuilt from the observations that are kept')
    .addOption(new Option('--dataset <dataset>', 'whose stream').choices(msfDatasets).makeOptionMandatory())
    .requiredOption('--scope <scope>', 'a game by its id, or a league by its code')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) => withCatalogs((session) => reset(session, options, command)));
  return epoch;
}

async function reset(session: Session, { dataset, scope, yes }: Options, command: Command): Promise<void> {
  const { catalogs, settings, actor } = session;
  const stream = await streamOf(session, dataset, scope);
  const before = stream.epochs.find((each) => each.current);
  const broker = await session.broker();
  const range = await logRange({ broker }, stream.scopeUuid);
  const { kept, unreadable } = await countKept({ broker }, stream.scopeUuid, range);
  const name = `${stream.scopeId} ${dataset}`;
  const plan =
    `${name}: epoch ${before?.epoch ?? 'none'} with ${before?.head ?? 0} revisions ends; a new one is rebuilt from ` +
    `${kept} kept observations${unreadable === 0 ? '' : `, without ${unreadable} records that cannot be read`}. Archives stay; cursors of the old epoch are answered stream-reset`;
  await confirm(plan, stream.scopeId, yes === true);
  if (!(await projectorsRun(session)))
    throw new CommandFailure(
      'refused',
      `${name}: no projector is running, and only one can publish a new epoch: start the service, and reset again`,
    );

  const id = newUuid();
  await catalogs.operations.audit(actor, 'epoch reset', name, { id, epoch: before?.epoch ?? null, observations: kept });
  const served = await catalogs.msf.stream(stream);
  const replaces = before?.epoch ?? null;
  const tools = {
    broker,
    objects: await session.objects(),
    leases: catalogs.leases,
    crash: crashPointsFrom(settings.crashAt),
    currentEpoch: () => currentEpoch(session, stream),
    published: (replaced: string | null, waits: () => Promise<unknown>) =>
      publishedEpoch(session, stream, replaced, waits),
  };
  const answer = await resetEpoch(tools, { id, stream, league: served?.league ?? '', replaces });
  if (answer.kind === 'held-by-another')
    throw new CommandFailure('refused', `${name} is being reset by another command`);
  if (answer.kind === 'replaced-before')
    throw new CommandFailure('refused', `${name} has started another epoch meanwhile; nothing was done`);
  const { epoch: after, observations, gaps } = answer;
  const facts = { scope: stream.scopeId, dataset, replaced: replaces, epoch: after, observations, gaps };
  const now = after === null ? 'no new epoch is published yet' : `epoch ${after} is current`;
  print(command, facts, [`${name}: ${now}`, `${observations} observations folded again`, ...gaps].join('\n'));
  if (answer.kind === 'unpublished')
    throw new CommandFailure(
      'failed',
      `${name}: ${(await projectorsRun(session)) ? 'no projector has published the new epoch; see sds status and sds dlq list' : 'no projector is running any more: start the service, and reset again'}`,
    );
}

/** @throws CommandFailure when there is nothing to reset */
async function streamOf({ catalogs }: Session, dataset: MsfDataset, scope: string): Promise<StreamHistory> {
  const code = scope.toUpperCase();
  const uuid = isLeague(code) ? leagueUuid(code) : (await catalogs.games.find(scope))?.uuid;
  if (uuid === undefined) throw new CommandFailure('failed', `no game or league ${scope}`);
  const streams = await catalogs.msfHistory.histories(uuid);
  const stream = streams.find((each) => each.dataset === dataset);
  if (stream === undefined) throw new CommandFailure('failed', `${scope} has no stream of ${dataset}`);
  return stream;
}

async function currentEpoch({ catalogs }: Session, { scopeUuid, dataset }: StreamHistory): Promise<string | null> {
  const histories = await catalogs.msfHistory.histories(scopeUuid);
  const epochs = histories.find((each) => each.dataset === dataset)?.epochs;
  return epochs?.find((each) => each.current)?.epoch ?? null;
}

/**
 * Whether a process of projectors runs. The embedded edition on its own database is one process of this host; elsewhere each process of
 * projectors holds this lease or waits for it, and that of a killed one lasts some seconds.
 */
async function projectorsRun({ catalogs, settings }: Session): Promise<boolean> {
  if (settings.databaseUrl === null) return runningInstances(settings.dataDir).length > 0;
  return catalogs.leases.isHeld('forwarder');
}

/** The epoch that has replaced `before`; null if none has in time. */
async function publishedEpoch(
  session: Session,
  stream: StreamHistory,
  before: string | null,
  waits: () => Promise<unknown>,
): Promise<string | null> {
  const deadline = systemClock.now() + patienceMs * 1_000;
  let looksAlone = 0;
  while (systemClock.now() < deadline && !session.interrupted.aborted && looksAlone < mostLooksAlone) {
    const current = await currentEpoch(session, stream);
    if (current !== before) return current;
    looksAlone = (await projectorsRun(session)) ? 0 : looksAlone + 1;
    await waits();
    await systemClock.sleep(lookEveryMs, session.interrupted);
  }
  return null;
}
