// Selects the records of a batch that are not folded yet. Delivery is at least once and never skips: repeated records are left out, and a hole
// before the others halts the partition (I18). Independent of what a record is.
import { type DeliveredBatch, type DeliveredRecord, Halted } from '../../core/ports/broker.ts';

/** The records of `batch` from offset `folded` on. @throws Halted where records may be missing before them and the driver does not vouch for the gap */
export function freshRecords(batch: DeliveredBatch, folded: number): readonly DeliveredRecord[] {
  const first = batch.records.findIndex((record) => record.offset >= folded);
  if (first < 0) return [];
  const records = first === 0 ? batch.records : batch.records.slice(first);
  const found = batch.from ?? records[0]?.offset ?? folded;
  if (found > folded) {
    throw new Halted(
      `gap in partition ${batch.partition}: expected offset ${folded}, the log continues at ${found}`,
      `bring back the records from offset ${folded} on, then restart the projectors`,
    );
  }
  return records;
}
