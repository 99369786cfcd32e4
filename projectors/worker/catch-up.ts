// How a new owner comes to what is committed: it claims the partition, which fences the owner before, loads the newest snapshot, has the records
// behind it folded again, and takes over what is published once its state has shown that it is the committed one.
import { Halted } from '../../core/ports/broker.ts';
import type { Claim, StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { Fenced, type OwnTools } from './partition-tools.ts';
import { patientStore, untilCatalogAnswers } from './patience.ts';
import type { Found, Projector, ProjectorKind } from './projector.ts';
import { loadSnapshot } from './snapshots.ts';

/** Claims the stream. */
export async function claimStream(tools: OwnTools, stream: StreamKey): Promise<Claim> {
  const claim = await untilCatalogAnswers(tools, () => tools.checkpoints.claim(stream, tools.ownerId));
  tools.crash('projector:claimed');
  return claim;
}

/** The projector with the state of the newest snapshot. @throws Halted when that is absent or damaged */
export function openProjector(
  tools: OwnTools,
  kind: ProjectorKind,
  { partition }: StreamKey,
  { snapshot }: Claim,
): Promise<Projector> {
  return loadSnapshot(patientStore(tools, tools.objects), snapshot, (saved) => kind.open(partition, saved));
}

/**
 * Has a projector that is folded up to the checkpoint take over what is published. `sameVersion`: it is of this release's columns and rules, so
 * that the state has to be the committed one. @throws Halted when it is another; Fenced
 */
export async function takeOver(
  tools: OwnTools,
  stream: StreamKey,
  claim: Claim,
  projector: Projector,
  sameVersion: boolean,
): Promise<void> {
  const { partition } = stream;
  const { ownerEpoch, nextOffset, snapshot } = claim;
  const found = sameVersion ? foundBy(projector, claim) : 'other-version';
  if (found === 'differs' && projector.mends !== true) {
    throw new Halted(
      `partition ${partition}: the state folded up to ${nextOffset} is not the committed one`,
      `bring back ${snapshot?.key ?? 'the log'} and the records behind it as they were, then restart the projectors`,
    );
  }
  const takeOverPublished = await untilCatalogAnswers(tools, () => projector.readPublished());
  const position = await untilCatalogAnswers(tools, () => tools.checkpoints.position(stream));
  if (position?.ownerEpoch !== ownerEpoch) {
    throw new Fenced('another owner took the partition over: what is published need not be what this one folds');
  }
  if (found === 'differs') tools.log.error('state is not the committed one', { partition });
  takeOverPublished(found);
}

function foundBy(projector: Projector, { foldDigest }: Claim): Found {
  return foldDigest === null || foldDigest === projector.digest() ? 'same' : 'differs';
}
