// What an answer and its receipt list of the refusals of a push: as many as fit, and how many more there are. Each of them is a dead letter.
import type { Rejection } from '../../core/ports/catalog/pushes.ts';

/** `rejectedMore`: refusals beyond those listed. */
export type ListedRejections = { rejected: readonly Rejection[]; rejectedMore: number };

/** Characters of the list, by what varies in its entries: some 8,000 refusals. */
const mostCharacters = 1024 * 1024;
const charactersOfFrame = 50;

export function listed(rejections: readonly Rejection[]): ListedRejections {
  let left = mostCharacters;
  const beyond = rejections.findIndex(({ pointer, code, detail }) => {
    left -= pointer.length + code.length + detail.length + charactersOfFrame;
    return left < 0;
  });
  const rejected = beyond < 0 ? rejections : rejections.slice(0, beyond);
  return { rejected, rejectedMore: rejections.length - rejected.length };
}

/** The members of a document that show the list. */
export function membersOf({ rejected, rejectedMore }: ListedRejections): Record<string, unknown> {
  return rejectedMore === 0 ? { rejected } : { rejected, rejected_more: rejectedMore };
}
