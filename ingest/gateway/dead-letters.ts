// Dead letters of what the gateway refuses: one for each refusal, with the payload. An element may lose thousands of quotes, so a letter
// does not always hold the element whole: in all, letters cost a few times what was pushed.

import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { DecidedElement } from '../adapters/decide-elements.ts';
import { partsOf } from '../adapters/element-part.ts';

/** Up to so many bytes the letters of a push hold their elements whole; then those of quotes hold the quote. */
const mostWholeBytes = 16 * 1024 * 1024;

/** One letter for each refusal, in order. */
export function deadLettersOf(
  push: { source: string; receipt: string; body: Uint8Array },
  decided: readonly DecidedElement<ResolvedGame>[],
): DeadLetter[] {
  let whole = 0;
  return decided.flatMap((each) => {
    const { element, refusals, kind } = each;
    const bytes = push.body.subarray(element.start, element.end);
    const partAt = kind === 'refused' ? () => bytes : partsOf(bytes);
    const game = kind === 'accepted' ? each.game : null;
    return refusals.map(({ code, detail, pointer }): DeadLetter => {
      whole += bytes.length;
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
        payload: whole <= mostWholeBytes ? bytes : partAt(pointer),
      };
    });
  });
}

const mostInBatch = 2_000;
const mostBytesInBatch = 4 * 1024 * 1024;

/** The letters in as many batches as the catalog takes at ease. */
export function batchesOf(letters: readonly DeadLetter[]): DeadLetter[][] {
  const batches: DeadLetter[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    const batch = batches.at(-1);
    bytes += letter.payload.length;
    if (batch === undefined || batch.length >= mostInBatch || bytes > mostBytesInBatch) {
      batches.push([letter]);
      bytes = letter.payload.length;
    } else batch.push(letter);
  }
  return batches;
}
