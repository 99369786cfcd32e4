// Why a fold refuses a record that its worker has marked as one of another partition.
import type { DeliveredRecord } from '../../core/ports/broker.ts';

/** Null: the record is where its key belongs. */
export function misplacement({
  belongsIn,
}: DeliveredRecord): { code: 'misplaced'; pointer: ''; detail: string } | null {
  if (belongsIn === undefined) return null;
  return {
    code: 'misplaced',
    pointer: '',
    detail: `the key belongs in partition ${belongsIn}: a replay puts it there`,
  };
}
