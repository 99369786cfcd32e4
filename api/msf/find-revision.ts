// Finds the revision that a path names by epoch and number: the head from memory, any other from the catalog; or a refusal that says why
// there is none.
import type { KeptRevision } from '../../core/ports/catalog/msf.ts';
import type { Micros } from '../../core/units.ts';
import type { Refusal } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { judgeStream } from './judge-stream.ts';
import type { MsfReads } from './reads.ts';
import { notRetained, notYetAvailable, type StreamOf } from './refusals.ts';
import { nameOf } from './streams.ts';

export type RevisionAddress = { epoch: string; revision: number };

export function findRevision(
  { of, now }: { of: StreamOf; now: Micros },
  { epoch, revision }: RevisionAddress,
  msf: MsfReads,
): KeptRevision | Refusal | Promise<KeptRevision | Refusal> {
  const name = { scopeUuid: of.scope.uuid, dataset: of.dataset };
  const known = msf.streams.peek(nameOf(name))?.stream;
  if (known?.head?.revision === revision && known.epoch === epoch)
    return { ...known.head, publishedAt: known.publishedAt };
  const found = Number.isSafeInteger(revision) ? msf.revisions.one(name, epoch, revision) : null;
  return chainMaybeAsync(found, (kept) => {
    if (kept !== null) return kept;
    return judgeStream<KeptRevision>(msf.streams, of, async ({ stream, game }) => {
      if (stream === null || stream.head === null) return notYetAvailable('Nothing is published yet.', game, now);
      const last = stream.epoch === epoch ? stream.head.revision : await msf.revisions.lastOfEpoch(name, epoch);
      if (revision > (last ?? 0)) return notYetAvailable('This revision was never published.', game, now);
      // It may have been published since the first look-up.
      const kept = Number.isSafeInteger(revision) ? await msf.revisions.one(name, epoch, revision) : null;
      return kept ?? notRetained(of);
    });
  });
}
