// Starts a stream over (msf.md, Epochs): appends `begin`, every kept observation of the scope once more under the reset's id, and `end`,
// all to the scope's own partition; the projector folds them into an epoch that nobody sees before `end`. Killed anywhere, it is run again:
// the next `begin` discards what this one left. Two at once: the stream's lease refuses one, and the log believes the newest `begin` alone.

import { feedsOf } from '../../core/msf/states/state.ts';
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { LeaseName, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import { isWhole, type KeptObservation, keptObservations, type LogTools, logRange } from './kept-observations.ts';

export type ResetTools = LogTools & {
  broker: Pick<Broker, 'partitionOf' | 'watermarks' | 'read' | 'produce'>;
  leases: LeasesCatalog;
  crash: CrashPoints;
  /** The epoch that is the stream's now; null: it has none. */
  currentEpoch(): Promise<string | null>;
  /** The epoch that has taken the place of `replaced`, null where none has in good time; calls back while it waits. */
  published(replaced: string | null, waits: () => Promise<unknown>): Promise<string | null>;
};

export type Reset = {
  id: string;
  stream: Pick<StreamHistory, 'scopeUuid' | 'scopeId' | 'dataset'>;
  league: string;
  /** The epoch that is to end, null where there is none: of another one nothing was planned. */
  replaces: string | null;
  /** Where the stream's history began as far as is known; null where nothing is. */
  knownSince: Micros | null;
};

/** `epoch`: the new one, null where nobody has published it in good time. */
export type ResetAnswer =
  | { kind: 'done'; epoch: string | null; observations: number; gaps: string[] }
  | { kind: 'held-by-another' }
  | { kind: 'replaced-before' };

/** Records, and bytes of elements, that are appended at once. */
const batchRecords = 200;
const batchBytes = 4_000_000;

export async function resetEpoch(tools: ResetTools, reset: Reset): Promise<ResetAnswer> {
  const { scopeUuid, dataset } = reset.stream;
  const lease: LeaseName = `reset ${scopeUuid} ${dataset}`;
  const answer = await resetWhile(tools, reset, () => tools.leases.hold(lease));
  await tools.leases.release(lease);
  return answer;
}

async function resetWhile(tools: ResetTools, reset: Reset, holds: () => Promise<boolean>): Promise<ResetAnswer> {
  if (!(await holds())) return { kind: 'held-by-another' };
  if ((await tools.currentEpoch()) !== reset.replaces) return { kind: 'replaced-before' };
  await append(tools, reset, [phase(reset, 'begin', [])]);
  tools.crash('reset:begun');
  // What is logged behind `begin` waits in the fold for the new epoch: together it is everything, and nothing twice.
  const range = await logRange(tools, reset.stream.scopeUuid);
  const gaps: string[] = [];
  let observations = 0;
  let since: Micros | null = null;
  let batch: ObservationsRecord[] = [];
  let bytes = 0;
  for await (const kept of keptObservations(tools, reset.stream.scopeUuid, range, reset.id)) {
    const { updatedAt } = kept;
    if (isOf(reset, kept)) since = Math.min(since ?? updatedAt, updatedAt);
    if (!(await isWhole(tools, kept))) {
      gaps.push(`${formatMicros(updatedAt)}/${formatMicros(updatedAt)} observation-missing`);
      continue;
    }
    batch.push(again(reset, kept));
    bytes += kept.observation.element?.length ?? 0;
    observations += 1;
    if (batch.length < batchRecords && bytes < batchBytes) continue;
    if (!(await holds())) return { kind: 'held-by-another' };
    await append(tools, reset, batch);
    tools.crash('reset:half-way');
    batch = [];
    bytes = 0;
  }
  gaps.unshift(...gapBefore(since, reset.knownSince));
  if (!(await holds())) return { kind: 'held-by-another' };
  await append(tools, reset, batch);
  tools.crash('reset:before-end');
  await append(tools, reset, [phase(reset, 'end', gaps)]);
  // Held until it shows: the next one would else plan, and report, with an epoch that is about to go.
  const epoch = await tools.published(reset.replaces, holds);
  return { kind: 'done', epoch, observations, gaps };
}

async function append(tools: ResetTools, { stream }: Reset, records: readonly ObservationsRecord[]): Promise<void> {
  if (records.length === 0) return;
  const outgoing = records.map((value): OutgoingRecord => ({ key: stream.scopeUuid, value }));
  await tools.broker.produce(topics.observations, outgoing);
}

/** Whether the stream's own dataset is made of it: the others tell when its game is over. */
function isOf({ stream }: Reset, { observation }: KeptObservation): boolean {
  return (feedsOf(stream.dataset) as readonly string[]).includes(observation.feed);
}

/** What was applied before anything that is kept is missing from the new epoch. */
function gapBefore(since: Micros | null, knownSince: Micros | null): string[] {
  if (knownSince === null || (since !== null && since <= knownSince)) return [];
  return [`${formatMicros(knownSince)}/${since === null ? '..' : formatMicros(since)} observations-missing`];
}

function again({ id }: Reset, { record, observation }: KeptObservation): ObservationsRecord {
  return { ...record, observation: { ...observation, rebuild: id } };
}

function phase({ id, stream, league }: Reset, name: 'begin' | 'end', gaps: string[]): ObservationsRecord {
  const frame = blankObservations({ uuid: stream.scopeUuid, id: stream.scopeId, league }, '', null);
  return { ...frame, reset: { id, dataset: stream.dataset, phase: name, gaps } };
}
