// Elements that are too large for a record, put into the object store before any record refers to them (docs/revisions.md#observations):
// nothing is cut. The key is the text's own hash, so that the same element again is the same object. It is compressed: a body that is small on
// the wire is small in the store.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib';
import { heldElementKey, mostInlineBytes } from '../../core/msf/bodies/held-element.ts';
import { ObjectConflict, type ObjectStore } from '../../core/ports/object-store.ts';
import type { MsfObservation } from '../../schemas/events/observations.ts';

/** The object store cannot take an element now; worth trying again. */
export class ElementNotHeld extends Error {
  override readonly name = 'ElementNotHeld';
}

/** What of an observation carries the element of this text: itself, or where it is held once this resolves. */
export async function holdElement(
  objects: Pick<ObjectStore, 'put' | 'get'>,
  text: string,
): Promise<Pick<MsfObservation, 'element' | 'held'>> {
  if (Buffer.byteLength(text) <= mostInlineBytes) return { element: text, held: null };
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = heldElementKey(sha256);
  try {
    await objects.put(key, await compress(bytes));
  } catch (error) {
    if (error instanceof ObjectConflict) {
      if (await holds(objects, key, bytes)) return heldAt(sha256, bytes);
      throw error;
    }
    throw new ElementNotHeld(`an element of ${bytes.length} bytes was not written`, { cause: error });
  }
  return heldAt(sha256, bytes);
}

const compress = promisify(zstdCompress);
const decompress: (bytes: Uint8Array, options: ZstdOptions) => Promise<Buffer> = promisify(zstdDecompress);

function heldAt(sha256: string, { length }: Uint8Array): Pick<MsfObservation, 'element' | 'held'> {
  return { element: null, held: { sha256, size: length } };
}

/** Another release of the compressor writes the same text in other bytes. */
async function holds(objects: Pick<ObjectStore, 'get'>, key: string, bytes: Buffer): Promise<boolean> {
  const object = await objects.get(key).catch(() => null);
  const text = object === null ? null : await decompress(object, { maxOutputLength: bytes.length }).catch(() => null);
  return text !== null && bytes.equals(text);
}
