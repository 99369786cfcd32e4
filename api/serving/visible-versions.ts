// The last span of a push: from the notice of a version to the moment from which no reader of this instance finds an older one.
import type { Span, Tracer } from '../../core/ports/tracer.ts';

/** Versions of what is served under a name: `isNewer` orders those of one name. */
export type VisibleVersions<Version> = {
  /**
   * `traceparent`: of its commit; left out, it is not traced. `isRead`: it is being read now. Else nothing older is in memory that could be
   * answered.
   */
  noticed(name: string, version: Version, traceparent: string | undefined, isRead: boolean): void;
  /** The version is in memory. */
  served(name: string, version: Version): void;
};

/** Reads that are waited for; each takes milliseconds, or fails. */
const mostReads = 1_000;

export function openVisibleVersions<Version>(
  tracer: Tracer,
  isNewer: (version: Version, than: Version) => boolean,
): VisibleVersions<Version> {
  const reads = new Map<string, { version: Version; span: Span }>();
  return {
    noticed(name, version, traceparent, isRead) {
      if (traceparent === undefined || !tracer.isOn) return;
      const span = tracer.start('make visible', 'consumer', traceparent);
      if (!isRead || reads.size >= mostReads) return span.end();
      // A newer version is read with it.
      reads.get(name)?.span.end();
      reads.set(name, { version, span });
    },
    served(name, version) {
      const read = reads.get(name);
      if (read === undefined || isNewer(read.version, version)) return;
      reads.delete(name);
      read.span.end();
    },
  };
}
