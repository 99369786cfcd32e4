// How a new owner reaches the committed state: it claims the partition, which fences the previous owner, loads the newest intact snapshot, folds
// the later records again, checks that its state equals the committed one, and then takes over what is published.
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

/** The projector with the state of the newest intact snapshot. */
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
 * Lets a projector that has folded up to the checkpoint take over what is published. `sameVersion`: this release's columns and rules made what is
 * published, so the state must equal the committed one. `fellBack`: folding began from an older state, possibly made by older rules.
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
