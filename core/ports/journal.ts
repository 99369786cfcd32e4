// Entries that outlive their process until somebody has dealt with them: what an instance owes to a service that is away.

export type Taken<Entry> = {
  entries: readonly Entry[];
  /** Forgets them, for good. */
  settle(): Promise<void>;
};

export interface Journal<Entry> {
  /** The entry survives whatever happens once this resolves. @throws where it cannot be written */
  append(entry: Entry): Promise<void>;
  /**
   * What this process and those that are gone have appended and nobody has settled; null: nothing. What is not settled is given out again.
   * Entries appended from now on are of another taking.
   */
  take(): Promise<Taken<Entry> | null>;
  /** Leaves what is not settled to whoever comes next. */
  close(): Promise<void>;
}
