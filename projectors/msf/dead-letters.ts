// Dead letters of what the fold of observations refuses: the record whole with each, for there are few of one record.
import type { MsfRefusal } from '../../core/msf/streams/frame.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/live.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';

/** One letter for each refusal of a record, in order. `record` null: its bytes could not be read. */
export function deadLettersOf(
  partition: number,
  delivered: DeliveredRecord,
  record: ObservationsRecord | null,
  refusals: readonly (Omit<MsfRefusal, 'code'> & { code: string })[],
): DeadLetter[] {
  if (refusals.length === 0) return [];
  const payload = record === null ? delivered.bytes : Buffer.from(JSON.stringify(record));
  return refusals.map(({ code, pointer, detail }) => ({
    topic: topics.observations,
    partition,
    offset: delivered.offset,
    code,
    detail,
    pointer,
    source: record?.source ?? null,
    gameUuid: record?.scope_uuid ?? null,
    gameId: record?.scope_id ?? null,
    receipt: record?.push ?? null,
    pushIndex: record?.push_index ?? null,
    payload,
  }));
}
