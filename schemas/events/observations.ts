// TypeScript form of observations.avsc (subject sds.observations.v1-value), the same names and shapes. A record read from the topic is
// untrusted until `core/msf` has checked it: every string may be anything. Times are microseconds UTC.

/** The stored element, if it is too large for a record. */
export type HeldElement = { sha256: string; size: number };

/** What one feed reports of one scope (docs/revisions.md#observations). Exactly one of `element` and `held` is set. */
export type MsfObservation = {
  season: string;
  feed: string;
  msf_game_id: number | null;
  observed_at: number | null;
  request_started_at: number | null;
  last_updated_on: string | null;
  element: string | null;
  held: HeldElement | null;
  rebuild: string | null;
};

/** A new epoch of one dataset of the scope (docs/revisions.md#epochs). */
export type EpochReset = { id: string; dataset: string; phase: string; gaps: string[] };

/** The administrator's change of the game's status (`sds games status`). `from`: the status in the catalog before it. */
export type GivenStatus = { from: string; to: string; at: number };

/** One value of `sds.observations.v1`; exactly one of the last four members is set. */
export type ObservationsRecord = {
  scope_uuid: string;
  scope_id: string;
  league: string;
  source: string;
  received_at: number | null;
  push: string | null;
  push_index: number | null;
  observation: MsfObservation | null;
  reset: EpochReset | null;
  tick: { at: number } | null;
  status: GivenStatus | null;
};
