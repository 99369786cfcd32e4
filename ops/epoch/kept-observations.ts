// A scope's observations that the log still holds, in log order: from these its streams can be rebuilt.

import type { LogPosition } from '../../core/log-position.ts';
import { heldElementObject } from '../../core/msf/bodies/held-element.ts';
import { timesOf } from '../../core/msf/streams/order.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import { believedTime } from '../../core/quotes/believed-times.ts';
import type { Micros } from '../../core/units.ts';
import { loadAttachment } from '../../projectors/worker/attachments.ts';
import type { MsfObservation, ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';

export type LogTools = {
  broker: Pick<Broker, 'partitionOf' | 'watermarks' | 'read'>;
  objects: Pick<ObjectStore, 'get'>;
};

/** `updatedAt`: its `source_updated_at`; `at`: its position. */
export type KeptObservation = {
  record: ObservationsRecord;
  observation: MsfObservation;
  updatedAt: Micros;
  at: LogPosition;
};

/** Where a scope's records are, as of now. */
type LogRange = { partition: number; from: number; to: number };

export async function logRange({ broker }: Pick<LogTools, 'broker'>, scopeUuid: string): Promise<LogRange> {
  const partition = await broker.partitionOf(topics.observations, scopeUuid);
  const mark = (await broker.watermarks(topics.observations)).find((each) => each.partition === partition);
  return { partition, from: mark?.low ?? 0, to: mark?.high ?? 0 };
}

/** Of a scope. `unreadable`: its records that cannot be decoded, and so cannot be rebuilt from. */
export type KeptCount = { kept: number; unreadable: number };

/** What is kept of each of the scopes. Reads a partition once, however many of them it holds. */
export async function countKept(
  { broker }: Pick<LogTools, 'broker'>,
  scopeUuids: Iterable<string>,
): Promise<ReadonlyMap<string, KeptCount>> {
  const counts = new Map<string, KeptCount>();
  const ranges = new Map<number, LogRange>();
  for (const uuid of scopeUuids) {
    counts.set(uuid, { kept: 0, unreadable: 0 });
    const range = await logRange({ broker }, uuid);
    ranges.set(range.partition, range);
  }
  for (const { partition, from, to } of ranges.values()) {
    if (from >= to) continue;
    for await (const { records } of broker.read(topics.observations, partition, from, to)) {
      for (const { key, value, undecodable } of records) {
        const count = counts.get(key ?? '');
        if (count === undefined) continue;
        if (undecodable !== null) count.unreadable += 1;
        else if (isKept(value as ObservationsRecord)) count.kept += 1;
      }
    }
  }
  return counts;
}

/** An observation, and not one that a reset has appended again. */
function isKept({ observation }: ObservationsRecord): boolean {
  return observation !== null && observation.rebuild === null;
}

/**
 * The scope's own observations, up to the `begin` of the reset `before`; leaves out those that a reset appended again. A record without a
 * receive time, or with one that the fold did not believe, gets that of the log.
 */
export async function* keptObservations(
  { broker }: Pick<LogTools, 'broker'>,
  scopeUuid: string,
  { partition, from, to }: LogRange,
  before: string,
): AsyncGenerator<KeptObservation> {
  if (from >= to) return;
  for await (const batch of broker.read(topics.observations, partition, from, to)) {
    for (const { key, value, undecodable, offset, timestamp } of batch.records) {
      if (key !== scopeUuid || undecodable !== null) continue;
      const record = value as ObservationsRecord;
      if (record.reset !== null && record.reset.id === before) return;
      const { observation } = record;
      if (observation === null || !isKept(record)) continue;
      // The broker stamps the repeated record anew: by then any time of a wrong clock has passed, and would be believed.
      const received = believedTime(record.received_at ?? timestamp, timestamp);
      const believed = { ...record, received_at: received };
      const { updated: updatedAt } = timesOf(believed, observation, timestamp);
      yield { record: believed, observation, updatedAt, at: { partition, offset, timestamp } };
    }
  }
}

/** Whether the fold will find its element: the object that holds it is there, and is that element. */
export async function isWhole(
  { objects }: Pick<LogTools, 'objects'>,
  { observation }: KeptObservation,
): Promise<boolean> {
  if (observation.held === null) return true;
  const object = heldElementObject(observation.held);
  return object !== null && (await loadAttachment(objects, object)) !== null;
}
