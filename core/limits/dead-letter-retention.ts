// How long dead letters are kept (docs/operations.md#dead-letters).

/** Days that dead letters are kept, and the bytes of all letters and payloads; above those bytes the oldest are deleted first. */
export type DeadLetterRetention = Readonly<Record<'days' | 'bytes', number>>;

/** A month leaves time to fix an adapter and replay what it refused; 4 GiB hold about ten million small letters. */
export const defaultDeadLetterRetention: DeadLetterRetention = { days: 30, bytes: 4 * 1024 ** 3 };
