// The dead letters of what the gateway refuses: one per refusal, with the payload. An element may lose thousands of quotes; their dead
// letters share its bytes, which are stored once.
import type { DeadLetter, DeadLettersCatalog, SentQuotes } from '../../core/ports/catalog/dead-letters.ts';
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { DecidedElement } from '../adapters/decide-elements.ts';
import type { PushUse } from './key-share.ts';

/** One dead letter per refusal, in order. */
export function deadLettersOf(
  push: { source: string; receipt: string; receivedAt: Micros; body: Uint8Array; sent?: SentQuotes | undefined },
  decided: readonly DecidedElement<ResolvedGame>[],
): DeadLetter[] {
  return decided.flatMap((each) => {
    const { element, refusals, kind } = each;
    const payload = push.body.subarray(element.start, element.end);
    const game = kind === 'accepted' ? each.game : null;
    return refusals.map(({ code, detail, pointer }): DeadLetter => {
      return {
        topic: topics.quotes,
        partition: null,
        offset: null,
        code,
        detail,
        pointer,
        source: push.source,
        gameUuid: game?.uuid ?? null,
        gameId: game?.gameId ?? null,
        receipt: push.receipt,
        pushIndex: element.index,
        payload,
        receivedAt: push.receivedAt,
        ...(push.sent === undefined ? {} : { sent: push.sent }),
      };
    });
  });
}

/** Where the refused part stood in the push; null: nowhere, it is no record of the push. */
type RefusedPart = Pick<DeadLetter, 'topic' | 'source' | 'receipt' | 'pushIndex' | 'payload'> &
  Pick<DeadLetter, 'code' | 'pointer' | 'detail'>;

/** The dead letter of a part that belongs to no game and never reached the log. */
export function unloggedDeadLetter(part: RefusedPart): DeadLetter {
  return { ...part, partition: null, offset: null, gameUuid: null, gameId: null };
}

/** A larger batch would block the event loop, and a processor of the database, for longer than a small push takes. */
const mostInBatch = 500;
const mostBytesInBatch = 4 * 1024 * 1024;

/** The dead letters in batches that the catalog handles quickly. */
export function batchesOf(deadLetters: readonly DeadLetter[]): DeadLetter[][] {
  const batches: DeadLetter[][] = [];
  let bytes = 0;
  for (const deadLetter of deadLetters) {
    const batch = batches.at(-1);
    // A payload shared with the previous dead letter counts once.
    if (batch?.at(-1)?.payload !== deadLetter.payload) bytes += deadLetter.payload.length;
    if (batch === undefined || batch.length >= mostInBatch || bytes > mostBytesInBatch) {
      batches.push([deadLetter]);
      bytes = deadLetter.payload.length;
    } else batch.push(deadLetter);
  }
  return batches;
}

/** Stores the dead letters, and counts each batch once it is stored, because the next one may fail. */
export async function storeDeadLetters(
  { deadLetters }: { deadLetters: Pick<DeadLettersCatalog, 'store'> },
  use: PushUse,
  batches: readonly (readonly DeadLetter[])[],
): Promise<void> {
  for (const batch of batches) {
    await deadLetters.store(batch);
    use.kept(batch.length);
  }
}
