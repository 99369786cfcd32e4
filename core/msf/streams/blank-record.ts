// The frame of a record of `sds.observations.v1`: scope, source and time. The caller adds the content.
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { Micros } from '../../units.ts';

/** A record without content. Without a receive time, the log's timestamp counts. */
export function blankObservations(
  scope: { uuid: string; id: string; league: string },
  source: string,
  receivedAt: Micros | null,
): ObservationsRecord {
  return {
    scope_uuid: scope.uuid,
    scope_id: scope.id,
    league: scope.league,
    source,
    received_at: receivedAt,
    push: null,
    push_index: null,
    observation: null,
    reset: null,
    tick: null,
    status: null,
  };
}
