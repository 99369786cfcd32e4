// Folds one record of a partition in a single call, for tests that need no steps in between.
import { runToEnd } from '../../../core/scheduling/task.ts';
import { foldingRecord } from '../../../projectors/live/fold-record.ts';

export function foldRecord(...folded: Parameters<typeof foldingRecord>): void {
  runToEnd(foldingRecord(...folded));
}
