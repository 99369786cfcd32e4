// A journal in memory that survives the metering that wrote it, and fails on demand.
import type { Journal, TakenEntries } from '../../../core/ports/journal.ts';

export class MemoryJournal<Entry> implements Journal<Entry> {
  entries: Entry[] = [];
  full = false;

  async append(entry: Entry): Promise<void> {
    if (this.full) throw new Error('no space left');
    this.entries.push(entry);
  }

  async take(): Promise<TakenEntries<Entry> | null> {
    const entries = [...this.entries];
    if (entries.length === 0) return null;
    return {
      entries,
      acknowledge: async () => {
        this.entries = this.entries.filter((entry) => !entries.includes(entry));
      },
    };
  }

  async close(): Promise<void> {}
}
