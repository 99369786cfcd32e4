// The catalog of reference data in the form that a partition's worker asks for.
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import type { PartitionCatalog } from '../worker/partition-tools.ts';
import type { ReferenceFacts } from './reference-projector.ts';

export function referencePartitionCatalog(
  streams: Pick<LiveCatalog, 'claim' | 'halt' | 'position'>,
  reference: Pick<ReferenceCatalog, 'commit'>,
): PartitionCatalog<ReferenceFacts, null> {
  return {
    claim: (stream, ownerId) => streams.claim(stream, ownerId),
    halt: (stream, ownerEpoch, reason) => streams.halt(stream, ownerEpoch, reason),
    position: (stream) => streams.position(stream),
    published: async () => null,
    commit: (fence, facts) => reference.commit({ ...fence, ...facts }),
  };
}
