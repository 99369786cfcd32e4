// What the dead letters of one record keep in all. A record may lose thousands of quotes: were each letter to hold the record, one push would
// make a commit of gigabytes, which no database takes, from any owner (I20). So one letter holds the record whole, and the others what they
// are about, for as long as there is room. Unaware of what a record is.
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';

/** Letters of one record: the gateway refuses no more of one push. */
export const mostLetters = 20_000;
/** What the first letter holds, and what all others hold together. */
const mostWholeBytes = 16 * 1024 * 1024;
export const mostPartBytes = 2 * 1024 * 1024;
/** What a letter costs a commit beside its texts. */
const bytesOfFrame = 400;

/** Letters that wait for a flush, and how much they add to its commit. */
export type WaitingLetters = { deadLetters: DeadLetter[]; letterBytes: number };

/** Adds letters to those that wait. */
export function queueDeadLetters(waiting: WaitingLetters, letters: readonly DeadLetter[]): void {
  for (const letter of letters) {
    waiting.deadLetters.push(letter);
    waiting.letterBytes += letter.payload.length + letter.detail.length + letter.pointer.length + bytesOfFrame;
  }
}

/** The refusals of a record that have a letter: all, but where they are more than can be kept the last letter says how many more. */
export function lettered<Refusal extends { detail: string }>(refusals: readonly Refusal[]): readonly Refusal[] {
  const over = refusals.length - mostLetters;
  const last = refusals[mostLetters - 1];
  if (over <= 0 || last === undefined) return refusals;
  const detail = `${last.detail}; ${over} more refusals of this record have no letter`;
  return [...refusals.slice(0, mostLetters - 1), { ...last, detail }];
}

/**
 * The payloads of a record's letters: the first is the record `whole`, each other the part of it that `parts` gives in its place, while there is
 * room for it. A letter whose payload had to go says so.
 */
export function payloadsOf<Refusal>(
  whole: Uint8Array,
  refusals: readonly Refusal[],
  partOf: (refusal: Refusal) => Uint8Array,
): Uint8Array[] {
  let left = mostPartBytes;
  return refusals.map((refusal, index) => {
    if (index === 0) return whole.length <= mostWholeBytes ? whole : cut(whole, 'the log holds the record');
    const part = partOf(refusal);
    if (part.length > left) return cut(part, 'the first letter of this record holds it');
    left -= part.length;
    return part;
  });
}

function cut({ length }: Uint8Array, where: string): Uint8Array {
  return Buffer.from(JSON.stringify({ payload_cut: `${length} bytes; ${where}` }));
}
