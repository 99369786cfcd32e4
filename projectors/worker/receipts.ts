// What a flush writes into the receipts of pushes: which of their records were applied, were duplicates, or were refused.
import type { ReceiptFold, ReceiptRecord } from '../../core/ports/catalog/pushes.ts';

type ReceiptChanges = {
  receipt: string;
  source: string;
  applied: number[];
  duplicates: number[];
  refused: number[];
  records: ReceiptRecord[];
};

/** By receipt and source, which need not be the receipt's. */
export type WaitingReceipts = { receipts: Map<string, ReceiptChanges> };

/** What the records of `source` that name `receipt` have come to, made on first use. A source's name has no space. */
export function receiptOf({ receipts }: WaitingReceipts, receipt: string, source: string): ReceiptChanges {
  const name = `${source} ${receipt}`;
  let fold = receipts.get(name);
  if (fold === undefined) {
    fold = { receipt, source, applied: [], duplicates: [], refused: [], records: [] };
    receipts.set(name, fold);
  }
  return fold;
}

/** Receipts in the form of a commit. */
export function receiptFolds({ receipts }: WaitingReceipts): ReceiptFold[] {
  return [...receipts.values()];
}
