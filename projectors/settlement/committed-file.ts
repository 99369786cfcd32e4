// The bytes of a committed file that settlement builds from, believed only when they are those that were committed.
import { createHash } from 'node:crypto';
import { type FileRef, ObjectDamaged, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import { InputDamaged } from './settlement-tools.ts';

/** Bytes may be damaged on their way; those of the same object will hardly be so often. */
const mostReads = 3;

/** @throws InputDamaged when they are not to be had */
export async function committedFile(objects: Pick<ObjectStore, 'get'>, file: FileRef): Promise<Uint8Array> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    const bytes = await objects.get(file.key, { offset: file.offset, length: file.size }).catch(nullOfDamaged);
    if (bytes === null) break;
    if (createHash('sha256').update(bytes).digest('hex') === file.sha256) return bytes;
  }
  throw new InputDamaged(`object ${file.key} is absent, or does not hold the bytes that were committed`);
}

function nullOfDamaged(error: unknown): null {
  if (error instanceof ObjectDamaged || error instanceof ObjectTruncated) return null;
  throw error;
}
