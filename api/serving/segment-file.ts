import type { FileRef } from '../../core/ports/object-store.ts';
import type { LiveVersion } from './served-games.ts';

/** The file of a segment of the log, and whether it can still grow. @throws when the log does not have it. */
export function segmentFile({ log }: Pick<LiveVersion, 'log'>, seq: number): { closed: boolean; file: FileRef } {
  if (log.tail?.seq === seq) return { closed: false, file: log.tail.file };
  const segment = log.closed[seq - log.firstSeq];
  if (segment?.seq !== seq) throw new Error(`the log has no contiguous segment ${seq}`);
  const { key, size, sha256 } = segment;
  return { closed: true, file: { key, offset: 0, size, sha256 } };
}
