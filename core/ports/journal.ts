// Entries that outlive their process until somebody has dealt with them: what an instance owes to a service that is away.

export type Taken<Entry> = {
  entries: readonly Entry[];
  /** Forgets them, for good. */
  acknowledge(): Promise<void>;
};

export interface Journal<Entry> {
  /** The entry survives whatever happens once this resolves. @throws where it cannot be written */
  append(entry: Entry): Promise<void>;
  /**
   * Unacknowledged entries of this process and of those that are gone, again at each call; null: there are none.
   * Entries appended from now on are of another taking.
   */
  take(): Promise<Taken<Entry> | null>;
  /** Leaves what is not acknowledged to the next process. */
  close(): Promise<void>;
}
