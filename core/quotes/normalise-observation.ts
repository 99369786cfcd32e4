import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { Micros } from '../units.ts';
import type { NormalObservation, QuoteRefusal } from './types.ts';

export type NormalisedRecord =
  | { kind: 'observation'; observation: NormalObservation; refusals: readonly QuoteRefusal[] }
  | { kind: 'refused'; refusal: QuoteRefusal };

/**
 * The observation of a record of the topic in normal form, or the one code that refuses it whole (quotes.md, "The native
 * event", "Normalising"): applied to the gateway's records and to direct ones alike. `brokerTime` stands in for an absent
 * receive time. Call only for records whose `observation` is set; `recordRefusal` below comes first for every record.
 */
export function normaliseObservation(record: QuotesRecord, brokerTime: Micros): NormalisedRecord {
  throw new Error(`not written yet: ${record.game_uuid} ${brokerTime}`);
}

/** Why a record of the topic is none, whatever it holds: `bad-key`, `bad-record`; null when its frame is sound. */
export function recordRefusal(key: string | null, record: QuotesRecord): QuoteRefusal | null {
  throw new Error(`not written yet: ${key} ${record.game_uuid}`);
}
