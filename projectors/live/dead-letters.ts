// Dead letters of what the fold refuses: one for each refusal, with the payload. The first of a record holds it whole; the others hold the
// quote, or the operator, that they are about.
import type { FoldRefusal } from '../../core/live/types.ts';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { keptRefusals, payloadsOf } from '../worker/record-dead-letters.ts';

type Refusal = Pick<FoldRefusal, 'code' | 'pointer' | 'detail'>;

/** One dead letter for each refusal of a record, in order. `record` null: its bytes could not be read. */
export function deadLettersOf(
  partition: number,
  delivered: DeliveredRecord,
  record: QuotesRecord | null,
  found: readonly Refusal[],
): DeadLetter[] {
  if (found.length === 0) return [];
  const refusals = keptRefusals(found);
  const whole = record === null ? delivered.bytes : Buffer.from(JSON.stringify(record));
  const payloads = payloadsOf(whole, refusals, ({ pointer }) => entryAround(record, pointer, whole));
  return refusals.map((refusal, index) => ({
    topic: topics.quotes,
    partition,
    offset: delivered.offset,
    code: refusal.code,
    detail: refusal.detail,
    pointer: refusal.pointer,
    source: record?.source ?? null,
    gameUuid: record?.game_uuid ?? null,
    gameId: record?.game_id ?? null,
    receipt: record?.push ?? null,
    pushIndex: record?.push_index ?? null,
    payload: payloads[index]!,
    receivedAt: delivered.timestamp,
  }));
}

/** The innermost list entry around what the pointer names, as JSON; `whole` where there is none. */
function entryAround(record: QuotesRecord | null, pointer: string, whole: Uint8Array): Uint8Array {
  let entry: unknown;
  let value: unknown = record;
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) break;
    const inList = Array.isArray(value);
    value = (value as Record<string, unknown>)[token];
    if (inList) entry = value;
  }
  return entry === undefined ? whole : Buffer.from(JSON.stringify(entry));
}
