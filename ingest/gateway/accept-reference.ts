// Takes pushed reference data into the log: elements → their subjects → records → broker → receipt. As with quotes, nothing is acknowledged
// before the broker has it durably, and a refused part becomes a dead letter without affecting the others (I17).
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { Rejection } from '../../core/ports/catalog/pushes.ts';
import type { ReferenceElement, ReferenceRefusal } from '../../core/reference/types.ts';
import { topics } from '../../schemas/events/topics.ts';
import { mostRefusals } from '../adapters/adapted.ts';
import { type AdaptedReference, adaptReferencePush } from '../adapters/reference.ts';
import { acceptOnce, type Push, type PushAnswer, type PushTools } from './accept-push.ts';
import { batchesOf, storeDeadLetters, unloggedDeadLetter } from './dead-letters.ts';
import { listed } from './listings.ts';
import { referenceRecord } from './reference-record.ts';

/** A push with more elements would exceed the time limit of the catalog's statements. */
export const mostReferences = 20_000;

type Sent = Omit<Push, 'adapt'>;

/** Accepts the acceptable parts of a push of reference data. Rejects as `acceptPush` does. docs/operations.md#push-gateway. */
export function acceptReference(tools: PushTools, sent: Sent): Promise<PushAnswer> {
  return acceptOnce(tools, sent, (receipt) => acceptUnder(tools, sent, receipt));
}

async function acceptUnder(tools: PushTools, sent: Sent, receipt: string): Promise<PushAnswer> {
  const refusal = await sent.beyondShare(sent.elements);
  if (refusal !== null) return { kind: 'beyond-share', refusal };
  const adapted = await tools.scheduler.run(sent.schedulingKey, adaptReferencePush(sent.body, sent.may));
  if (adapted.kind === 'malformed') return adapted;
  const { elements } = adapted;
  if (elements.length > mostReferences) return { kind: 'too-many-records', most: mostReferences };

  const { accepted, refused } = await identified(tools, sent.source, elements);
  const rejected = refused.map(({ adapted: { index }, refusal }): Rejection => ({ index, ...refusal }));
  if (rejected.length > mostRefusals) return { kind: 'too-many-refusals', most: mostRefusals, rejected };
  const listing = listed(rejected);
  const deadLetters = batchesOf(sent.use.deadLettersToKeep(refused.map((each) => deadLetterOf(sent, receipt, each))));
  if (accepted.length === 0 && elements.length > 0) {
    await storeDeadLetters(tools, sent.use, deadLetters);
    return { kind: 'all-rejected', ...listing };
  }
  tools.crash('gateway:before-produce');
  await tools.broker.produce(
    topics.games,
    accepted.map(({ index, element, ...identity }) => referenceRecord({ ...sent, receipt, index }, element, identity)),
  );
  if (accepted.length > 0) sent.use.kept(0);
  tools.crash('gateway:after-produce');
  const last = deadLetters.pop() ?? [];
  await storeDeadLetters(tools, sent.use, deadLetters);
  const { source, receivedAt, idempotencyKey } = sent;
  const acceptedIndexes = accepted.map(({ index }) => index);
  const entry = { receipt, source, receivedAt, accepted: accepted.length, acceptedIndexes, duplicates: 0, ...listing };
  await tools.pushes.acknowledge(entry, idempotencyKey, last);
  sent.use.kept(last.length);
  return { kind: 'accepted', receipt, accepted: accepted.length, duplicates: 0, ...listing };
}

type Accepted = { index: number; element: ReferenceElement; id: string; currentTeamId: string | null };
type Refused = { adapted: AdaptedReference; refusal: ReferenceRefusal };

async function identified(
  tools: PushTools,
  source: string,
  elements: readonly AdaptedReference[],
): Promise<{ accepted: Accepted[]; refused: Refused[] }> {
  const read = elements.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
  const identities = read.length === 0 ? [] : await tools.reference.identify(source, read);
  const accepted: Accepted[] = [];
  const refused: Refused[] = [];
  let next = 0;
  for (const adapted of elements) {
    if (adapted.kind === 'refused') {
      refused.push({ adapted, refusal: adapted.refusal });
      continue;
    }
    const identity = identities[next];
    next += 1;
    if (identity === undefined) throw new Error('an element was not identified');
    if (identity.kind === 'refused') refused.push({ adapted, refusal: identity.refusal });
    else accepted.push({ index: adapted.index, element: adapted.element, ...identity });
  }
  return { accepted, refused };
}

function deadLetterOf({ source, body }: Sent, receipt: string, { adapted, refusal }: Refused): DeadLetter {
  const payload = body.subarray(adapted.start, adapted.end);
  return unloggedDeadLetter({ ...refusal, topic: topics.games, source, receipt, pushIndex: adapted.index, payload });
}
