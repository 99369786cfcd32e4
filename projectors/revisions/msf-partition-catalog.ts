// The catalog of MSF streams in the form that a partition's worker asks for.
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfCatalog, PublishedStream } from '../../core/ports/catalog/msf.ts';
import type { PartitionCatalog } from '../worker/partition-tools.ts';
import type { MsfFacts } from './revisions-projector.ts';

export function msfPartitionCatalog(
  streams: Pick<LiveCatalog, 'claim' | 'halt' | 'position'>,
  msf: Pick<MsfCatalog, 'publishedIn' | 'commit'>,
): PartitionCatalog<MsfFacts, readonly PublishedStream[]> {
  return {
    claim: (stream, ownerId) => streams.claim(stream, ownerId),
    halt: (stream, ownerEpoch, reason) => streams.halt(stream, ownerEpoch, reason),
    position: (stream) => streams.position(stream),
    published: (partition) => msf.publishedIn(partition),
    commit: (fence, facts) => msf.commit({ ...fence, ...facts }),
  };
}
