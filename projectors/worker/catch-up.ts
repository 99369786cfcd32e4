// How a new owner comes to what is committed: it claims the partition, which fences the owner before, loads the newest snapshot that is intact,
// has the records behind it folded again, and takes over what is published once its state has shown that it is the committed one.
import { Halted } from '../../core/ports/broker.ts';
import type { Claim, StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { Fenced, type OwnTools } from './partition-tools.ts';
import { patientStore, untilCatalogAnswers } from './patience.ts';
import type { Found, Projector, ProjectorKind } from './projector.ts';
import { type Opened, openNewest } from './snapshots.ts';

/** Claims the stream. */
export async function claimStream(tools: OwnTools, stream: StreamKey): Promise<Claim> {
  const claim = await untilCatalogAnswers(tools, () => tools.checkpoints.claim(stream, tools.ownerId));
  tools.crash('projector:claimed');
  return claim;
}

/** The projector with the state of the newest snapshot that is intact. */
export function openProjector(
  tools: OwnTools,
  kind: ProjectorKind,
  { partition }: StreamKey,
  { snapshot }: Claim,
): Promise<Opened<Projector>> {
  return openNewest(
    patientStore(tools, tools.objects),
    snapshot,
    (saved) => kind.open(partition, saved),
    (key, reason) =>
      tools.log.error('snapshot cannot be used; an older state is folded on', {
        projector: kind.name,
        partition,
        key,
        reason,
      }),
  );
}

/**
 * Has a projector that is folded up to the checkpoint take over what is published. `sameVersion`: what is published is of this release's columns
 * and rules, so that the state has to be the committed one. `fellBack`: it was folded on from an older state, which may be of older rules.
 * @throws Halted when the state is another; Fenced
 */
export async function takeOver(
  tools: OwnTools,
  stream: StreamKey,
  claim: Claim,
  projector: Projector,
  { sameVersion, fellBack }: { sameVersion: boolean; fellBack: boolean },
): Promise<Found> {
  const { partition } = stream;
  const { ownerEpoch, nextOffset, snapshot } = claim;
  const found = foundBy(projector, claim, sameVersion, fellBack);
  if (found === 'differs' && projector.mends !== true) {
    throw new Halted(
      `partition ${partition}: the state folded up to ${nextOffset} is not the committed one`,
      `bring back ${snapshot?.key ?? 'the log'} and the records behind it as they were, then restart the projectors`,
    );
  }
  const takeOverPublished = await untilCatalogAnswers(tools, () => projector.readPublished(found));
  const position = await untilCatalogAnswers(tools, () => tools.checkpoints.position(stream));
  if (position?.ownerEpoch !== ownerEpoch) {
    throw new Fenced('another owner took the partition over: what is published need not be what this one folds');
  }
  if (found === 'differs' || found === 'older-state')
    tools.log.error('state is not the committed one', { partition, found });
  takeOverPublished();
  return found;
}

function foundBy(projector: Projector, { foldDigest }: Claim, sameVersion: boolean, fellBack: boolean): Found {
  if (!sameVersion) return fellBack ? 'older-state' : 'other-version';
  if (foldDigest === null || foldDigest === projector.digest()) return 'same';
  return fellBack ? 'older-state' : 'differs';
}
