// Limits what the dead letters of one record keep together. Thousands of quotes of a record may be refused: if each dead letter held the record,
// one push would need a commit of gigabytes, which no database accepts from any owner (I20). So the first dead letter holds the whole record, and
// the others hold their own part while there is room. Independent of what a record is.
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';

/** Dead letters of one record: the gateway refuses no more of one push. */
export const mostDeadLetters = 20_000;
/** Payload bytes of the first dead letter of a record, and of all others together. */
const mostWholeBytes = 16 * 1024 * 1024;
export const mostPartBytes = 2 * 1024 * 1024;
/** What a dead letter costs a commit beside its texts. */
const bytesOfFrame = 400;

/** Dead letters that wait for a flush, and how much they add to its commit. */
export type WaitingDeadLetters = { deadLetters: DeadLetter[]; deadLetterBytes: number };

/** Adds dead letters to those that wait. */
export function queueDeadLetters(waiting: WaitingDeadLetters, deadLetters: readonly DeadLetter[]): void {
  for (const deadLetter of deadLetters) {
    waiting.deadLetters.push(deadLetter);
    waiting.deadLetterBytes +=
      deadLetter.payload.length + deadLetter.detail.length + deadLetter.pointer.length + bytesOfFrame;
  }
}

/** The refusals of a record that become dead letters: all, or as many as can be kept, of which the last says how many more there were. */
export function keptRefusals<Refusal extends { detail: string }>(refusals: readonly Refusal[]): readonly Refusal[] {
  const over = refusals.length - mostDeadLetters;
  const last = refusals[mostDeadLetters - 1];
  if (over <= 0 || last === undefined) return refusals;
  const detail = `${last.detail}; ${over} more refusals of this record have no letter`;
  return [...refusals.slice(0, mostDeadLetters - 1), { ...last, detail }];
}

/**
 * The payloads of a record's dead letters: the first is the record `whole`, each other the part of it that `partOf` gives, while there is room
 * for it. A payload that was cut says so.
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
