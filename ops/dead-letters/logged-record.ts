// Prepares a record that a fold refused for its log: unchanged, at its own time and in its own push. A quotes record becomes source-timed,
// so that it never counts as newer than later ones, and is a duplicate if it was applied already (docs/quotes.md#duplicates). Independent
// of how letters are stored.
import { parseJson } from '../../core/json/parse-json.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type { DeadLetterToReplay } from '../../core/ports/catalog/dead-letters.ts';
import { believedTime } from '../../core/quotes/believed-times.ts';
import type { Micros } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';

/** `ticks`: a tick that must follow, if the record had no time of its own, so that the game's time advances again. */
export type LoggedRecord = { record: OutgoingRecord; ticks: QuotesRecord | null };

/** `receivedAt`: the broker's time of the record. */
type Place = Pick<DeadLetterToReplay, 'topic' | 'partition' | 'offset' | 'receivedAt'>;

/** The record of a payload; null if it cannot be folded again. */
export function loggedRecord(place: Place, payload: Uint8Array): LoggedRecord | null {
  const value = objectIn(payload);
  const observation = value?.observation ?? null;
  if (value === null || typeof observation !== 'object' || observation === null) return null;
  const { topic, partition, offset, receivedAt } = place;
  // The broker stamps the record anew: by then the time of a clock that was ahead has passed, and would be believed.
  const received = believedTime(numberOr(value.received_at, receivedAt), receivedAt);
  const push = typeof value.push === 'string' ? value.push : `${partition}:${offset}`;
  if (topic === topics.quotes) return quotesRecord(value as QuotesRecord, received, push);
  if (topic !== topics.observations) return null;
  return observationsRecord(value as ObservationsRecord, received, push);
}

function quotesRecord(record: QuotesRecord, received: Micros, push: string): LoggedRecord | null {
  if (record.observation === null || typeof record.game_uuid !== 'string') return null;
  const { observed_at: own } = record.observation;
  const value: QuotesRecord = {
    ...record,
    received_at: received,
    push,
    observation: { ...record.observation, observed_at: own ?? received },
  };
  const logged = { key: record.game_uuid, value, headers: { source: String(record.source) } };
  return { record: logged, ticks: own === null ? value : null };
}

/** A part of an epoch reset cannot be replayed, because the reset has ended. */
function observationsRecord(record: ObservationsRecord, received: Micros, push: string): LoggedRecord | null {
  if (record.observation === null || record.observation.rebuild !== null || typeof record.scope_uuid !== 'string')
    return null;
  const value: ObservationsRecord = { ...record, received_at: received, push, push_index: record.push_index ?? 0 };
  return { record: { key: record.scope_uuid, value, headers: { source: String(record.source) } }, ticks: null };
}

function objectIn(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const value = parseJson(Buffer.from(payload).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function numberOr(value: unknown, other: Micros): Micros {
  return typeof value === 'number' ? value : other;
}
