// The last span of a push: from the notice of a version to the moment from which no reader of this instance finds an older one.
import type { ServedLog, ServingNotice } from '../../core/ports/catalog/live.ts';
import type { Span, Tracer } from '../../core/ports/tracer.ts';

type Version = Pick<ServedLog, 'gameUuid' | 'generation' | 'version'>;

export type VisibleVersions = {
  /** `isRead`: it is being read now. Else nothing older is in memory that could be answered. */
  noticed(notice: ServingNotice, isRead: boolean): void;
  /** The version is in memory. */
  served(version: Version): void;
};

/** Reads that are waited for; each takes milliseconds, or fails. */
const mostReads = 1_000;

export function openVisibleVersions(tracer: Tracer): VisibleVersions {
  const reads = new Map<string, { generation: number; version: number; span: Span }>();
  return {
    noticed({ gameUuid, generation, version, traceparent = null }, isRead) {
      if (traceparent === null || !tracer.isOn) return;
      const span = tracer.start('make visible', 'consumer', traceparent);
      if (!isRead || reads.size >= mostReads) return span.end();
      // A newer version is read with it.
      reads.get(gameUuid)?.span.end();
      reads.set(gameUuid, { generation, version, span });
    },
    served({ gameUuid, generation, version }) {
      const read = reads.get(gameUuid);
      if (read === undefined || generation < read.generation) return;
      if (generation === read.generation && version < read.version) return;
      reads.delete(gameUuid);
      read.span.end();
    },
  };
}
