// How long dead letters are kept (docs/operations.md#dead-letters).

/** So many days, and so many bytes of letters and payloads in all: of more the oldest go first. */
export type DeadLetterRetention = Readonly<Record<'days' | 'bytes', number>>;

/** A month is long enough to mend an adapter and replay what it refused; 4 GiB are some ten million small letters. */
export const defaultDeadLetterRetention: DeadLetterRetention = { days: 30, bytes: 4 * 1024 ** 3 };
