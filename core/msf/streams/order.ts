// When an observation was requested, received and stamped, and which of two observations of one feed is newer
// (docs/revisions.md#order-of-observations). The times come from the record alone. Independent of content.
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import { parseRfc3339 } from '../../time/rfc3339.ts';
import { type Micros, microsPerMinute } from '../../units.ts';
import type { TimestampBasis } from '../types.ts';

/** How far `lastUpdatedOn` may be after the receive time, or a request start after the receipt of the body, to be believed. */
const mostAhead: Micros = 5 * microsPerMinute;

/** The order of an observation among those of its feed and scope; of equal ones, the later in the log is newer. */
type ObservationOrder = { asked: Micros; updated: Micros };

export type ObservationTimes = ObservationOrder & {
  /** Null if unknown. */
  requested: Micros | null;
  /** The receive time, or `X-Observed-At` in its place. */
  received: Micros;
  basis: TimestampBasis;
};

/** The times of a record that carries `observation`. docs/revisions.md#order-of-observations; docs/revisions.md#times-of-an-observation. */
export function timesOf(
  { received_at }: Pick<ObservationsRecord, 'received_at'>,
  observation: {
    readonly observed_at: Micros | null;
    readonly request_started_at: Micros | null;
    readonly last_updated_on: string | null;
  },
  loggedAt: Micros,
): ObservationTimes {
  const taken = received_at ?? loggedAt;
  const received = observation.observed_at ?? taken;
  const requested = believedRequest(observation.request_started_at, taken);
  const asked = requested ?? received;
  const stamp = observation.last_updated_on === null ? null : parseRfc3339(observation.last_updated_on);
  if (stamp !== null && stamp <= received + mostAhead) {
    return { requested, received, asked, updated: stamp, basis: 'source' };
  }
  return { requested, received, asked, updated: asked, basis: requested === null ? 'unverified' : 'request_start' };
}

/** A request cannot start after its answer was received. Believing such a clock would make all later requests late. */
function believedRequest(requested: Micros | null, takenAt: Micros): Micros | null {
  return requested !== null && requested <= takenAt + mostAhead ? requested : null;
}

/** Whether `order` is older than the newest applied one. docs/revisions.md#order-of-observations. */
export function isLate(order: ObservationOrder, newest: ObservationOrder): boolean {
  if (order.asked !== newest.asked) return order.asked < newest.asked;
  return order.updated < newest.updated;
}
