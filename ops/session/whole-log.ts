// The log for commands that rebuild: the raw archive, then the log's own records.
import type { Broker } from '../../core/ports/broker.ts';
import { openRawArchive } from '../../platform/raw-archive/raw-archive.ts';
import { archivedLog } from '../../projectors/worker/archived-log.ts';
import type { Session } from './command.ts';

type WholeLog = Pick<Broker, 'partitions' | 'partitionOf' | 'produce' | 'watermarks' | 'offsetAt' | 'read'>;

export async function wholeLog(session: Pick<Session, 'broker' | 'objects'>): Promise<WholeLog> {
  const broker = await session.broker();
  const archive = openRawArchive(await session.objects());
  return {
    partitions: (topic) => broker.partitions(topic),
    partitionOf: (topic, key) => broker.partitionOf(topic, key),
    produce: (topic, records) => broker.produce(topic, records),
    ...archivedLog(broker, archive),
  };
}
