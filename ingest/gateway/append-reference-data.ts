// Appends the reference data in bodies of MSF to the log, as the source `msf` independent of the pushing source, so that players and venues
// have the ids that rows use (docs/revisions.md#ids). They are not records of the push: a refused one becomes a dead letter and does not
// affect the body.
import { msfSource } from '../../core/msf/ids.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ReferenceIdentity } from '../../core/reference/identify.ts';
import type { ReferenceElement, ReferenceRefusal } from '../../core/reference/types.ts';
import type { Micros } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { WrittenReference } from '../adapters/msf-adapted.ts';
import type { PushTools } from './accept-push.ts';
import { batchesOf, storeDeadLetters, unloggedDeadLetter } from './dead-letters.ts';
import type { PushUse } from './key-share.ts';
import type { RecentReferenceData } from './recent-reference-data.ts';
import { referenceRecord } from './reference-record.ts';

type Push = { source: string; schedulingKey: string; receivedAt: Micros; receipt: string; use: PushUse };
type Identified = { element: ReferenceElement; identity: Extract<ReferenceIdentity, { kind: 'identified' }> };
type Refused = { reference: WrittenReference; refusal: ReferenceRefusal };

/** Appends the references that are new, or have new content. Rejects as `acceptPush` does. */
export async function appendReferenceData(
  tools: PushTools,
  appended: RecentReferenceData,
  push: Push,
  references: readonly WrittenReference[],
): Promise<void> {
  const news = await tools.scheduler.run(push.schedulingKey, appended.missing(references));
  if (news.length === 0) return;
  const { identified, refused } = await identify(
    tools,
    news.map(({ reference }) => reference),
  );
  for (let at = 0; at < identified.length; at += recordsAtOnce) {
    const records = identified.slice(at, at + recordsAtOnce).map((each) => recordOf(push, each));
    await tools.broker.produce(topics.games, records);
    push.use.kept(0);
  }
  const deadLetters = push.use.deadLettersToKeep(refused.map((each) => deadLetterOf(push, each)));
  await storeDeadLetters(tools, push.use, batchesOf(deadLetters));
  appended.note(news);
}

/** Records that are made and encoded without a pause: some milliseconds of work. */
const recordsAtOnce = 2_000;

async function identify(
  tools: PushTools,
  references: readonly WrittenReference[],
): Promise<{ identified: Identified[]; refused: Refused[] }> {
  const read = references.filter((each) => each.kind === 'read');
  const refused = references.flatMap((reference): Refused[] =>
    reference.kind === 'refused' ? [{ reference, refusal: reference.refusal }] : [],
  );
  const elements = read.map(({ element }) => element);
  const identities = elements.length === 0 ? [] : await tools.reference.identify(msfSource, elements);
  const identified: Identified[] = [];
  for (const [index, reference] of read.entries()) {
    const identity = identities[index];
    if (identity === undefined) throw new Error('a reference was not identified');
    if (identity.kind === 'refused') refused.push({ reference, refusal: identity.refusal });
    else identified.push({ element: reference.element, identity });
  }
  return { identified, refused };
}

function recordOf({ receivedAt, receipt }: Push, { element, identity }: Identified): OutgoingRecord {
  return referenceRecord({ source: msfSource, receivedAt, receipt, index: null }, element, identity);
}

function deadLetterOf({ source, receipt }: Push, { reference, refusal }: Refused): DeadLetter {
  const pointer = reference.pointer + refusal.pointer;
  const payload = Buffer.from(reference.text);
  return unloggedDeadLetter({ ...refusal, pointer, topic: topics.games, source, receipt, pushIndex: null, payload });
}
