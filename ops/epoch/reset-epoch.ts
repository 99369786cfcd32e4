// Starts a new epoch of a stream (docs/revisions.md#epochs): appends `begin`, every kept observation of the scope under the reset's id, and
// `end`, all to the scope's own partition. The projector folds them into a new epoch and publishes it at `end`. After a crash, just run it
// again: the next `begin` discards what this one left. Against concurrent resets, the lease of all resets refuses the second, and only the
// newest `begin` in the log counts.

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
  leases: Pick<LeasesCatalog, 'hold'>;
  crash: CrashPoints;
  /** The stream's current epoch; null if it has none. */
  currentEpoch(): Promise<string | null>;
  /** The epoch that has replaced `replaced`, null if none has in time; calls back while it waits. */
  published(replaced: string | null, waits: () => Promise<unknown>): Promise<string | null>;
};

type Reset = {
  id: string;
  stream: StreamHistory;
  /** The epoch to replace, null if there is none. If the stream has another by now, the reset was not planned for it. */
  replaces: string | null;
};

/** `epoch`: the new one. `unpublished`: everything is appended, but no projector has published it in time. */
export type ResetAnswer =
  | { kind: 'done'; epoch: string; observations: number; gaps: string[] }
  | { kind: 'unpublished'; epoch: null; observations: number; gaps: string[] }
  | { kind: 'held-by-another' }
  | { kind: 'replaced-before' };

/** Most records, and bytes of elements, in one append. */
const batchRecords = 200;
const batchBytes = 4_000_000;

/** Held by the command that resets, until its last stream is done. */
export const resetLease: LeaseName = 'epoch-reset';

/** Takes and renews the lease; the caller gives it up. `onProgress`: so many of the kept observations are appended. */
export async function resetEpoch(
  tools: ResetTools,
  reset: Reset,
  onProgress: (observations: number) => void = () => {},
): Promise<ResetAnswer> {
  const holds = () => tools.leases.hold(resetLease);
  if (!(await holds())) return { kind: 'held-by-another' };
  if ((await tools.currentEpoch()) !== reset.replaces) return { kind: 'replaced-before' };
  await append(tools, reset, [phase(reset, 'begin', [])]);
  tools.crash('reset:begun');
  // Records after `begin` wait in the fold for the new epoch: together with the repeated ones they are complete, without duplicates.
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
      if (mayChange(reset, kept)) holes.missing(updatedAt);
      continue;
    }
    holes.present();
    batch.push(again(reset, kept));
    bytes += kept.observation.element?.length ?? 0;
    observations += 1;
    if (batch.length < batchRecords && bytes < batchBytes) continue;
    if (!(await holds())) return { kind: 'held-by-another' };
    await append(tools, reset, batch);
    onProgress(observations);
    tools.crash('reset:half-way');
    batch = [];
    bytes = 0;
  }
  const { knownSince } = reset.stream;
  if (knownSince !== null && !isWholeFromStart) holes.missingBefore(knownSince, first);
  const gaps = holes.gaps();
  if (!(await holds())) return { kind: 'held-by-another' };
  await append(tools, reset, batch);
  onProgress(observations);
  tools.crash('reset:before-end');
  await append(tools, reset, [phase(reset, 'end', gaps)]);
  // Keep the lease until the new epoch is visible: otherwise the next reset would plan with, and report, an epoch that is about to be
  // replaced.
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

/** Whether the stream's dataset is made from it. */
function isOf({ stream }: Reset, { observation }: KeptObservation): boolean {
  return (feedsOf(stream.dataset) as readonly string[]).includes(observation.feed);
}

/** Whether the stream would differ without it: its dataset is made from it, or it may say that the game is over, which verifies revisions. */
function mayChange(reset: Reset, kept: KeptObservation): boolean {
  return isOf(reset, kept) || (feedsOf('game-state') as readonly string[]).includes(kept.observation.feed);
}

/**
 * Whether the stream began with this observation: the id of its first epoch encodes the position. The log deletes from its beginning, so if
 * the first observation is kept, all are; and the first epoch stays the same, however often the stream is reset.
 */
function began({ stream }: Reset, { at }: KeptObservation): boolean {
  return stream.epochs[0]?.epoch === epochId(stream.scopeUuid, stream.dataset, at);
}

function again({ id }: Reset, { record, observation }: KeptObservation): ObservationsRecord {
  return { ...record, observation: { ...observation, rebuild: id } };
}

function phase({ id, stream }: Reset, name: 'begin' | 'end', gaps: string[]): ObservationsRecord {
  const frame = blankObservations({ uuid: stream.scopeUuid, id: stream.scopeId, league: stream.league }, '', null);
  return { ...frame, reset: { id, dataset: stream.dataset, phase: name, gaps } };
}
