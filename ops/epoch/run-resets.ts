// Resets planned streams for a command, one after another; reports the progress after each and within a long one, and the outcome of all at
// the end.
import type { StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { crashPointsFrom } from '../../platform/process/crash-points.ts';
import { newUuid } from '../../platform/process/ids.ts';
import { runningInstances } from '../service/instance-file.ts';
import { CommandFailure, type Session } from '../session/command.ts';
import { giveUp } from '../session/command-lease.ts';
import { openProgress, openSteps } from '../session/progress.ts';
import { wholeLog } from '../session/whole-log.ts';
import type { PlannedReset } from './plan-resets.ts';
import { type ResetAnswer, resetEpoch, resetLease } from './reset-epoch.ts';

/** `epoch`: null if no projector has published it yet. */
export type DoneReset = {
  scope: string;
  dataset: string;
  replaced: string | null;
  epoch: string | null;
  observations: number;
  gaps: readonly string[];
};

/** How long to wait for the projectors to publish a new epoch. */
const patienceMs = 60_000;
const lookEveryMs = 250;
/** After this many checks without a projector, none will publish it. Another process takes over a lease within a second. */
const mostLooksAlone = 12;

/** `failure`: why not all of them are reset. */
export async function runResets(
  session: Session,
  planned: readonly PlannedReset[],
): Promise<{ done: readonly DoneReset[]; failure: CommandFailure | null }> {
  const done: DoneReset[] = [];
  const sizes = planned.map(({ kept }) => kept.kept);
  const stepDone = openSteps({ steps: 'streams', unit: 'observations', sizes });
  /** A reset also replaces other streams of its scope, if it changes them. */
  const ownScopes = new Set<string>();
  try {
    for (const { stream, kept } of planned) {
      const left = planned.length === 1 ? '' : `; ${done.length} of ${planned.length} streams are reset`;
      if (session.interrupted.aborted)
        return { done, failure: new CommandFailure('failed', `interrupted${left}: run it again for the others`) };
      const replaces = ownScopes.has(stream.scopeUuid)
        ? await currentEpoch(session, stream)
        : (stream.epochs.find((each) => each.current)?.epoch ?? null);
      const answer = await resetStream(session, stream, replaces, kept.kept);
      ownScopes.add(stream.scopeUuid);
      if ('epoch' in answer) {
        const { epoch, observations, gaps } = answer;
        done.push({ scope: stream.scopeId, dataset: stream.dataset, replaced: replaces, epoch, observations, gaps });
      }
      if (answer.kind !== 'done') return { done, failure: await failureOf(session, stream, answer.kind, left) };
      if (planned.length > 1) stepDone(`${nameOf(stream)}, epoch ${answer.epoch}`);
    }
    return { done, failure: null };
  } finally {
    await giveUp(session.catalogs.leases, resetLease);
  }
}

/** @throws CommandFailure while no projector runs, because none would publish a new epoch */
export async function needProjectors(session: Session, what: string): Promise<void> {
  if (await projectorsRun(session)) return;
  const why = 'no projector is running, and only one can publish a new epoch: start the service, and reset again';
  throw new CommandFailure('refused', `${what}: ${why}`);
}

export function nameOf({ scopeId, dataset }: StreamHistory): string {
  return `${scopeId} ${dataset}`;
}

async function resetStream(
  session: Session,
  stream: StreamHistory,
  replaces: string | null,
  observations: number,
): Promise<ResetAnswer> {
  const { catalogs, settings, actor } = session;
  const id = newUuid();
  if (!(await catalogs.leases.hold(resetLease))) return { kind: 'held-by-another' };
  await catalogs.operations.audit(actor, 'epoch reset', nameOf(stream), { id, epoch: replaces, observations });
  const tools = {
    broker: await wholeLog(session),
    objects: await session.objects(),
    leases: catalogs.leases,
    crash: crashPointsFrom(settings.crashAt),
    currentEpoch: () => currentEpoch(session, stream),
    published: (replaced: string | null, waits: () => Promise<unknown>) =>
      publishedEpoch(session, stream, replaced, waits),
  };
  using progress = openProgress({ unit: 'observations', all: observations });
  return await resetEpoch(tools, { id, stream, replaces }, (done) => progress.at(done));
}

async function failureOf(
  session: Session,
  stream: StreamHistory,
  kind: Exclude<ResetAnswer['kind'], 'done'>,
  left: string,
): Promise<CommandFailure> {
  const name = nameOf(stream);
  if (kind === 'held-by-another') return new CommandFailure('refused', `another command resets streams now${left}`);
  if (kind === 'replaced-before')
    return new CommandFailure('refused', `${name} has started another epoch meanwhile; nothing was done${left}`);
  if (session.interrupted.aborted)
    return new CommandFailure('failed', `interrupted: the projectors publish the new epoch of ${name}${left}`);
  const why = (await projectorsRun(session))
    ? 'no projector has published the new epoch; see ./sds status and ./sds dlq list'
    : 'no projector is running any more: start the service, and reset again';
  return new CommandFailure('failed', `${name}: ${why}${left}`);
}

async function currentEpoch({ catalogs }: Session, { scopeUuid, dataset }: StreamHistory): Promise<string | null> {
  const histories = await catalogs.msfHistory.histories(scopeUuid);
  const epochs = histories.find((each) => each.dataset === dataset)?.epochs;
  return epochs?.find((each) => each.current)?.epoch ?? null;
}

/**
 * Whether a process of projectors runs. The embedded edition with its own database is one process on this host; elsewhere each projector
 * process holds this lease or waits for it, and a killed one's lease lasts some seconds.
 */
async function projectorsRun({ catalogs, settings }: Session): Promise<boolean> {
  if (settings.databaseUrl === null) return runningInstances(settings.dataDir).some(({ state }) => state === 'serving');
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
