// One record of a partition folded at once, where a test looks at nothing in between.
import { runToEnd } from '../../../core/scheduling/task.ts';
import { foldingRecord } from '../../../projectors/live/fold-record.ts';

export function foldRecord(...folded: Parameters<typeof foldingRecord>): void {
  runToEnd(foldingRecord(...folded));
}
