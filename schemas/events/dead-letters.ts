// TypeScript form of dead-letters.avsc (subject sds.dead-letters.v1-value), the same names and shapes. Times are microseconds UTC.

/** One value of `sds.dead-letters.v1` (docs/operations.md#topics): everything but the payload, which may be as large as a record. */
export type DeadLetterRecord = {
  id: number;
  at: number;
  topic: string;
  partition: number | null;
  offset: number | null;
  code: string;
  detail: string;
  pointer: string;
  source: string | null;
  game_id: string | null;
  receipt: string | null;
  push_index: number | null;
  payload_sha256: string;
};
