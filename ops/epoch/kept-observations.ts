// A scope's observations that the log still holds, in log order: from these its streams can be rebuilt.

import type { LogPosition } from '../../core/log-position.ts';
import { heldElementObject } from '../../core/msf/bodies/held-element.ts';
import { timesOf } from '../../core/msf/streams/order.ts';
import type { Broker } from '../../core/ports/broker.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Micros } from '../../core/units.ts';
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

/** How many observations are kept, and how many of the scope's records cannot be decoded and so cannot be rebuilt from. */
export async function countKept(tools: Pick<LogTools, 'broker'>, scopeUuid: string, range: LogRange) {
  const count = { kept: 0, unreadable: 0 };
  const note = () => {
    count.unreadable += 1;
  };
  for await (const _each of keptObservations(tools, scopeUuid, range, null, note)) count.kept += 1;
  return count;
}

/**
 * The scope's own observations, up to the `begin` of the reset `before`; leaves out those that a reset appended again. A record without a
 * receive time gets that of the log.
 */
export async function* keptObservations(
  { broker }: Pick<LogTools, 'broker'>,
  scopeUuid: string,
  { partition, from, to }: LogRange,
  before: string | null = null,
  unreadable: () => void = () => {},
): AsyncGenerator<KeptObservation> {
  if (from >= to) return;
  for await (const batch of broker.read(topics.observations, partition, from, to)) {
    for (const { key, value, undecodable, offset, timestamp } of batch.records) {
      if (key !== scopeUuid) continue;
      if (undecodable !== null) {
        unreadable();
        continue;
      }
      const record = value as ObservationsRecord;
      if (record.reset !== null && record.reset.id === before) return;
      const { observation } = record;
      if (observation === null || observation.rebuild !== null) continue;
      const { updated: updatedAt } = timesOf(record, observation, timestamp);
      const at = { partition, offset, timestamp };
      yield { record: { ...record, received_at: record.received_at ?? timestamp }, observation, updatedAt, at };
    }
  }
}

/** Whether its element is still available. */
export async function isWhole(
  { objects }: Pick<LogTools, 'objects'>,
  { observation }: KeptObservation,
): Promise<boolean> {
  if (observation.held === null) return true;
  for (const { key } of heldElementObject(observation.held)?.forms ?? [])
    if ((await objects.get(key)) !== null) return true;
  return false;
}
