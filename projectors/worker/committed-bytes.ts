// The bytes of a file that was committed, held against what was committed of it. What was published cannot be written anew: where the bytes are
// not to be had, the partition halts.
import { createHash } from 'node:crypto';
import { Halted } from '../../core/ports/broker.ts';
import { type FileRef, ObjectDamaged, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';

/** Bytes may be damaged on their way; those of the same object will hardly be so often. */
const mostReads = 3;

/** The bytes of `ref`. @throws Halted where they are absent or others */
export async function committedBytes(objects: Pick<ObjectStore, 'get'>, ref: FileRef): Promise<Uint8Array> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    const bytes = await objects.get(ref.key, { offset: ref.offset, length: ref.size }).catch((error: unknown) => {
      if (error instanceof ObjectTruncated) throw lost(ref, 'is cut short', error);
      if (error instanceof ObjectDamaged) throw lost(ref, 'is damaged', error);
      throw error;
    });
    if (bytes === null) throw lost(ref, 'is absent');
    if (createHash('sha256').update(bytes).digest('hex') === ref.sha256) return bytes;
  }
  throw lost(ref, 'does not hold the bytes that were committed');
}

function lost({ key }: FileRef, how: string, cause?: unknown): Halted {
  return new Halted(`object ${key} is committed and ${how}`, `bring back ${key}, then restart the projectors`, {
    cause,
  });
}
