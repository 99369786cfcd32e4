// Loads the objects that records refer to and hands them to the fold. An object is loaded when its record's turn comes, so a batch of references
// never holds more than one in memory. A missing or altered object arrives as null: the fold refuses the record, as it does any hostile one.
import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import { type Attachment, ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';

/** Of the records of a run: between two runs what is folded may be flushed. */
const mostBytes = 1024 * 1024;

/** How often a damaged read is repeated: it may have been damaged on its way, and the fold's verdict on the object is final. */
const mostReads = 3;

/**
 * The records in order, in runs that are folded together: at most a MiB each, unless a single record is larger. A record that refers to an
 * object is a run of its own, with the object's bytes.
 */
export async function* withAttachments(
  objects: Pick<ObjectStore, 'get'>,
  attachment: (record: DeliveredRecord) => Attachment | null,
  records: readonly DeliveredRecord[],
): AsyncGenerator<readonly DeliveredRecord[]> {
  let run: DeliveredRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const object = attachment(record);
    bytes += record.bytes.length;
    if (run.length > 0 && (object !== null || bytes > mostBytes)) {
      yield run;
      run = [];
      bytes = record.bytes.length;
    }
    if (object === null) run.push(record);
    else yield [{ ...record, attached: await loadAttachment(objects, object) }];
  }
  if (run.length > 0) yield run;
}

/** Bytes of a record and of the object it refers to. */
export function sizeOf({ bytes, attached }: Pick<DeliveredRecord, 'bytes' | 'attached'>): number {
  return bytes.length + (attached?.length ?? 0);
}

/** The verified content that a record refers to, in whichever form it is kept; null if no form holds it. */
export async function loadAttachment(
  objects: Pick<ObjectStore, 'get'>,
  { forms, size, sha256 }: Attachment,
): Promise<Uint8Array | null> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    let isAbsent = true;
    for (const { key, encoding } of forms) {
      const object = await objects.get(key).catch(nullOfDamaged);
      if (object === null) continue;
      isAbsent = false;
      const bytes = encoding === 'zstd' ? inflated(object, size) : object;
      if (bytes?.length === size && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
    }
    if (isAbsent) return null;
  }
  return null;
}

/** The content of an object, never more than `size`; null where the object is damaged. */
function inflated(object: Uint8Array, size: number): Uint8Array | null {
  try {
    return zstdDecompressSync(object, { maxOutputLength: size });
  } catch {
    return null;
  }
}

/** The store has compared the bytes with what was put: it has read them more than once already. */
function nullOfDamaged(error: unknown): null {
  if (error instanceof ObjectDamaged) return null;
  throw error;
}
