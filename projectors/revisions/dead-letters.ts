// Dead letters of what the fold of observations refuses: each holds the record whole, while there is room for it.
import type { MsfRefusal } from '../../core/msf/streams/frame.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import { keptRefusals, payloadsOf } from '../worker/record-dead-letters.ts';

/** One dead letter for each refusal of a record, in order. `record` null: its bytes could not be read. */
export function deadLettersOf(
  partition: number,
  delivered: DeliveredRecord,
  record: ObservationsRecord | null,
  found: readonly (Omit<MsfRefusal, 'code'> & { code: string })[],
): DeadLetter[] {
  if (found.length === 0) return [];
  const refusals = keptRefusals(found);
  const whole = record === null ? delivered.bytes : Buffer.from(JSON.stringify(record));
  const payloads = payloadsOf(whole, refusals, () => whole);
  return refusals.map(({ code, pointer, detail }, index) => ({
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
    payload: payloads[index]!,
    receivedAt: delivered.timestamp,
  }));
}
