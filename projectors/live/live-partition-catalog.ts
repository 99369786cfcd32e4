// The live catalog in the form that a partition's worker asks for.
import type { LiveCatalog, PublishedLog } from '../../core/ports/catalog/live.ts';
import type { PartitionCatalog } from '../worker/partition-tools.ts';
import type { LiveFacts } from './live-projector.ts';

export function livePartitionCatalog(live: LiveCatalog): PartitionCatalog<LiveFacts, readonly PublishedLog[]> {
  return {
    claim: (stream, ownerId) => live.claim(stream, ownerId),
    halt: (stream, ownerEpoch, reason) => live.halt(stream, ownerEpoch, reason),
    position: (stream) => live.position(stream),
    published: (partition) => live.publishedIn(partition),
    commit: (fence, facts) => live.commit({ ...fence, ...facts, released: [...fence.released, ...facts.released] }),
  };
}
