// Starts a stream over (docs/revisions.md#epochs): appends `begin`, every kept observation of the scope once more under the reset's id, and
// `end`, all to the scope's own partition; the projector folds them into an epoch that is published at `end`. Killed anywhere, it is run
// again: the next `begin` discards what this one left. Two at once: the stream's lease refuses one, and the log believes the newest `begin`
// alone.

import { feedsOf } from '../../core/msf/states/state.ts';
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import { epochId } from '../../core/msf/streams/epoch.ts';
import { Holes } from '../../core/msf/streams/holes.ts';
import type { Appender, Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { LeaseName, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { StreamHistory } from '../../core/ports/catalog/msf-history.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { Micros } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import { isWhole, type KeptObservation, keptObservations, type LogTools, logRange } from './kept-observations.ts';

export type ResetTools = LogTools & {
  broker: Pick<Broker, 'partitionOf' | 'watermarks' | 'read'> & Appender;
  leases: LeasesCatalog;
  crash: CrashPoints;
  /** The epoch that is the stream's now; null: it has none. */
  currentEpoch(): Promise<string | null>;
  /** The epoch that has taken the place of `replaced`, null where none has in good time; calls back while it waits. */
  published(replaced: string | null, waits: () => Promise<unknown>): Promise<string | null>;
};

export type Reset = {
  id: string;
  stream: Pick<StreamHistory, 'scopeUuid' | 'scopeId' | 'dataset' | 'epochs' | 'knownSince'>;
  league: string;
  /** The epoch that is to end, null where there is none: of another one nothing was planned. */
  replaces: string | null;
};

/** `epoch`: the new one. `unpublished`: everything is appended, and nobody has published it in good time. */
export type ResetAnswer =
  | { kind: 'done'; epoch: string; observations: number; gaps: string[] }
  | { kind: 'unpublished'; epoch: null; observations: number; gaps: string[] }
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
  const holes = new Holes();
  let observations = 0;
  let first: Micros | null = null;
  let isWholeFromStart = false;
  let batch: ObservationsRecord[] = [];
  let bytes = 0;
  for await (const kept of keptObservations(tools, reset.stream.scopeUuid, range, reset.id)) {
    const { updatedAt } = kept;
    if (isOf(reset, kept)) first ??= updatedAt;
    isWholeFromStart ||= began(reset, kept);
    if (!(await isWhole(tools, kept))) {
      holes.missing(updatedAt);
      continue;
    }
    holes.present();
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
  const { knownSince } = reset.stream;
  if (knownSince !== null && !isWholeFromStart) holes.missingBefore(knownSince, first);
  const gaps = holes.gaps();
  if (!(await holds())) return { kind: 'held-by-another' };
  await append(tools, reset, batch);
  tools.crash('reset:before-end');
  await append(tools, reset, [phase(reset, 'end', gaps)]);
  // Held until it shows: the next one would else plan, and report, with an epoch that is about to go.
  const epoch = await tools.published(reset.replaces, holds);
  return epoch === null
    ? { kind: 'unpublished', epoch, observations, gaps }
    : { kind: 'done', epoch, observations, gaps };
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

/**
 * Whether the stream began with this observation: the id of its first epoch says where that stood. The log forgets from its beginning on, so
 * where the first is kept, all are; and however often the stream was reset, its first epoch stays what it was.
 */
function began({ stream }: Reset, { at }: KeptObservation): boolean {
  return stream.epochs[0]?.epoch === epochId(stream.scopeUuid, stream.dataset, at);
}

function again({ id }: Reset, { record, observation }: KeptObservation): ObservationsRecord {
  return { ...record, observation: { ...observation, rebuild: id } };
}

function phase({ id, stream, league }: Reset, name: 'begin' | 'end', gaps: string[]): ObservationsRecord {
  const frame = blankObservations({ uuid: stream.scopeUuid, id: stream.scopeId, league }, '', null);
  return { ...frame, reset: { id, dataset: stream.dataset, phase: name, gaps } };
}
