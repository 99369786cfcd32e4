// Entries that survive their process until they are handled: what an instance owes to a service that is unavailable.

export type TakenEntries<Entry> = {
  entries: readonly Entry[];
  /** Deletes them. */
  acknowledge(): Promise<void>;
};

export interface Journal<Entry> {
  /** Once this resolves, the entry survives a crash. @throws when it cannot be written */
  append(entry: Entry): Promise<void>;
  /**
   * Unacknowledged entries of this process and of dead ones, returned again by each call; null if there are none. Entries appended later
   * belong to a later batch.
   */
  take(): Promise<TakenEntries<Entry> | null>;
  /** Leaves unacknowledged entries to the next process. */
  close(): Promise<void>;
}
