// Where a record goes, the same in every driver of the log.
import { partitionOfKey } from '../../core/partition-of-key.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';

/** The record's `partition` if given, otherwise the partition of its key. @throws RangeError: the topic has no such partition. */
export function partitionOfRecord(
  { key, partition }: OutgoingRecord,
  { name, partitions }: { name: string; partitions: number },
): number {
  if (partition === undefined) return partitionOfKey(key, partitions);
  if (Number.isInteger(partition) && partition >= 0 && partition < partitions) return partition;
  throw new RangeError(`${name} has no partition ${partition}: it has ${partitions}`);
}
