// What a new owner does if its state differs from the committed one, because the rules of a dataset have changed since the snapshot or the catalog
// was restored from a backup (docs/revisions.md#epochs). A stream that differs takes its position from the catalog, and its next record starts it
// over in a new epoch: what was published stays as it is (I12).
import { Halted } from '../../core/ports/broker.ts';
import type { PublishedStream } from '../../core/ports/catalog/msf.ts';
import type { HeldScopes } from './held-scopes.ts';

/** Marks the streams whose state is not the one that is published. @throws Halted when the log does not hold what they were made of */
export function mendStreams(scopes: HeldScopes, published: readonly PublishedStream[]): void {
  const known = new Set<string>();
  for (const { scopeUuid, dataset, epoch, head, digest, unarchived } of published) {
    known.add(`${dataset} ${scopeUuid}`);
    const stream = scopes.touch(scopeUuid)?.streams.get(dataset);
    if (stream === undefined) {
      throw new Halted(
        `${dataset} of ${scopeUuid} is published, and no record before the checkpoint speaks of it`,
        'bring back the log and the snapshot as they were, then restart the projectors',
      );
    }
    if (stream.epoch === epoch && stream.head === (head ?? 0) && stream.digest === (digest ?? '')) continue;
    stream.epoch = epoch;
    stream.head = head ?? 0;
    stream.firstUnarchived = unarchived[0]?.revision ?? stream.head + 1;
    stream.suspect = true;
  }
  for (const uuid of [...scopes.uuids]) {
    const { streams } = scopes.touch(uuid) ?? { streams: new Map() };
    for (const dataset of [...streams.keys()]) if (!known.has(`${dataset} ${uuid}`)) streams.delete(dataset);
    scopes.packExcess('betweenFlushes');
  }
}
