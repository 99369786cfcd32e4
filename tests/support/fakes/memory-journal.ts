// A journal in memory that survives the metering that wrote it, and fails on demand.
import type { Journal, TakenEntries } from '../../../core/ports/journal.ts';

export class MemoryJournal<Entry> implements Journal<Entry> {
  entries: Entry[] = [];
  full = false;
  /** Why it cannot be read; 'kept': what was read cannot be deleted. */
  flaw: 'unreadable' | 'kept' | null = null;
  /** How often it was read. */
  reads = 0;

  async append(entry: Entry): Promise<void> {
    if (this.full) throw new Error('no space left');
    this.entries.push(entry);
  }

  async take(): Promise<TakenEntries<Entry> | null> {
    this.reads += 1;
    if (this.flaw === 'unreadable') throw new Error('permission denied');
    const entries = [...this.entries];
    if (entries.length === 0) return null;
    return {
      entries,
      acknowledge: async () => {
        if (this.flaw === 'kept') throw new Error('read-only file system');
        this.entries = this.entries.filter((entry) => !entries.includes(entry));
      },
    };
  }

  async close(): Promise<void> {}
}
