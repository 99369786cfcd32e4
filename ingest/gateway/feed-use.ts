// Writes what feed keys use to the catalog once a second, not with every push: a row updated by every push would serialise all pushes of a
// key. Each batch reads back the sums of all gateways, and the sums are also read before a key's first push of a day. A killed gateway
// loses the counts of its last second, or since the catalog became unreachable; a batch whose answer is lost may count twice. Between two
// batches, several gateways together may exceed a quota by what the per-second limits admit.
import type { FeedQuotas } from '../../core/limits/feed-quotas.ts';
import { FeedUseTable } from '../../core/limits/feed-use.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { FeedUseCatalog } from '../../core/ports/catalog/feed-use.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';

const everyMs: Millis = 1_000;

export type FeedUses = {
  readonly quotas: FeedQuotas;
  readonly table: FeedUseTable;
  /** Resolves once the sums of the key's day are known. Rejects as the catalog does. */
  known(keyId: string, day: string): Promise<void>;
  /** Writes the counts within a second. */
  writeSoon(): void;
  /** Writes the remaining counts. */
  close(): Promise<void>;
};

export type FeedUseTools = { feedUse: Pick<FeedUseCatalog, 'add'>; quotas: FeedQuotas; clock: Clock; log: Log };

export function openFeedUses({ feedUse, quotas, clock, log }: FeedUseTools): FeedUses {
  const table = new FeedUseTable();
  const closed = new AbortController();
  let writing: Promise<void> = Promise.resolve();
  let behind: Promise<void> | null = null;
  let isWriting = false;
  let isAway = false;

  async function write(): Promise<void> {
    const counts = table.take();
    try {
      table.written(counts, await feedUse.add(counts));
      isAway = false;
    } catch (error) {
      table.notWritten(counts);
      if (!isAway) log.warn('what feed keys use is not written yet', { error: String(error) });
      isAway = true;
      throw error;
    }
  }

  /** One batch at a time. Callers during a batch share the next one. */
  function writeNow(): Promise<void> {
    behind ??= (async () => {
      await writing.catch(() => {});
      behind = null;
      writing = table.isWritten ? Promise.resolve() : write();
      await writing;
    })();
    return behind;
  }

  /** Repeats once a second until everything is written, however long the catalog is unreachable. */
  async function keepWriting(): Promise<void> {
    isWriting = true;
    while (!table.isWritten && !closed.signal.aborted) {
      await clock.sleep(everyMs, closed.signal);
      await writeNow().catch(() => {});
    }
    isWriting = false;
  }

  return {
    quotas,
    table,
    async known(keyId, day) {
      if (!table.isKnown(keyId, day)) await writeNow();
      if (!table.isKnown(keyId, day)) throw new CatalogUnavailable('what the key has used is not known');
    },
    writeSoon() {
      if (!isWriting) void keepWriting();
    },
    async close() {
      closed.abort();
      await writeNow().catch(() => {});
    },
  };
}
