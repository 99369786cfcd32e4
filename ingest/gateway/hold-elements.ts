// Elements that are too large for a record, put into the object store before any record refers to them (msf.md, Observations): nothing is cut.
// The key is the text's own hash, so that the same element again is the same object.
import { createHash } from 'node:crypto';
import { heldElementKey, mostInlineBytes } from '../../core/msf/bodies/held-element.ts';
import { ObjectConflict, type ObjectStore } from '../../core/ports/object-store.ts';
import type { MsfObservation } from '../../schemas/events/observations.ts';

/** The object store cannot take an element now; worth trying again. */
export class ElementNotHeld extends Error {
  override readonly name = 'ElementNotHeld';
}

/** What of an observation carries the element of this text: itself, or where it is held once this resolves. */
export async function holdElement(
  objects: Pick<ObjectStore, 'put'>,
  text: string,
): Promise<Pick<MsfObservation, 'element' | 'held'>> {
  if (Buffer.byteLength(text) <= mostInlineBytes) return { element: text, held: null };
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    await objects.put(heldElementKey(sha256), bytes);
  } catch (error) {
    if (error instanceof ObjectConflict) throw error;
    throw new ElementNotHeld(`an element of ${bytes.length} bytes was not written`, { cause: error });
  }
  return { element: null, held: { sha256, size: bytes.length } };
}
