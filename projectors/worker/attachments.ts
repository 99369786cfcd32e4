// The objects that records refer to, brought to the fold. An object is loaded when its record's turn has come, so that a batch of references
// never holds more than one in memory; what is absent or reads differently is brought as null: the fold judges it, like all that is hostile.
import { createHash } from 'node:crypto';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { type FileRef, ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';

/** What is folded at once: nothing else of the process has its turn meanwhile. */
export type AtOnce = { readonly records: number; readonly bytes: number };

const usualAtOnce: AtOnce = { records: Number.POSITIVE_INFINITY, bytes: 1024 * 1024 };

/** A store that reads wrongly now may read rightly at once: what is believed of an object, a fold repeats for ever. */
const mostReads = 3;

/**
 * The records in order, as runs to be folded at once, none of them of more than `most`, unless a record alone is; one that refers to an object
 * is a run of its own, with its bytes.
 */
export async function* withAttachments(
  objects: Pick<ObjectStore, 'get'>,
  attachment: (record: DeliveredRecord) => FileRef | null,
  records: readonly DeliveredRecord[],
  most = usualAtOnce,
): AsyncGenerator<readonly DeliveredRecord[]> {
  let run: DeliveredRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const file = attachment(record);
    bytes += record.bytes.length;
    if (run.length > 0 && (file !== null || bytes > most.bytes || run.length === most.records)) {
      yield run;
      run = [];
      bytes = record.bytes.length;
    }
    if (file === null) run.push(record);
    else yield [{ ...record, attached: await load(objects, file) }];
  }
  if (run.length > 0) yield run;
}

async function load(objects: Pick<ObjectStore, 'get'>, { key, size, sha256 }: FileRef): Promise<Uint8Array | null> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    const bytes = await objects.get(key).catch(nullOfDamaged);
    if (bytes === null) return null;
    if (bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  }
  return null;
}

/** A store that has held the bytes against what was put has read them more than once. */
function nullOfDamaged(error: unknown): null {
  if (error instanceof ObjectDamaged) return null;
  throw error;
}
