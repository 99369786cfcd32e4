// Elements that are too large for a record, put into the object store before any record refers to them (docs/revisions.md#observations):
// nothing is cut. The key is the text's own hash, so that the same element again is the same object. It is compressed: a body that is small on
// the wire is small in the store.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib';
import { heldElementKey, mostInlineBytes } from '../../core/msf/bodies/held-element.ts';
import { ObjectConflict, type ObjectStore } from '../../core/ports/object-store.ts';
import type { MsfObservation } from '../../schemas/events/observations.ts';
import type { WrittenJson } from '../adapters/json-text.ts';
import { giveBack } from './gathered-bytes.ts';

/** The object store cannot take an element now; worth trying again. */
export class ElementNotHeld extends Error {
  override readonly name = 'ElementNotHeld';
}

/** What of an observation carries its element: the text itself, or where it is held. */
export type CarriedElement = Pick<MsfObservation, 'element' | 'held'>;

/**
 * Carries the elements of one push. The same text again behind itself is held once: of the games of a league, those of which it says nothing
 * have one. Rejects with ElementNotHeld.
 */
export function holdingElements(
  objects: Pick<ObjectStore, 'put' | 'get'>,
): (text: WrittenJson) => Promise<CarriedElement> {
  let last: { text: WrittenJson; carried: CarriedElement } | null = null;
  return async (text) => {
    if (last?.text === text) return last.carried;
    const carried = await holdElement(objects, text);
    last = carried.held === null ? null : { text, carried };
    return carried;
  };
}

/** What carries the element of this text, once this resolves. Bytes that are held are given back: nothing else reads them. */
async function holdElement(objects: Pick<ObjectStore, 'put' | 'get'>, text: WrittenJson): Promise<CarriedElement> {
  if (Buffer.byteLength(text) <= mostInlineBytes) return { element: textOf(text), held: null };
  const bytes = typeof text === 'string' ? Buffer.from(text) : inPlace(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = heldElementKey(sha256);
  const size = bytes.length;
  try {
    await objects.put(key, await compress(bytes));
  } catch (error) {
    if (!(error instanceof ObjectConflict))
      throw new ElementNotHeld(`an element of ${size} bytes was not written`, { cause: error });
    if (!(await holds(objects, key, bytes))) throw error;
  }
  giveBack(bytes);
  return { element: null, held: { sha256, size } };
}

function textOf(text: WrittenJson): string {
  return typeof text === 'string' ? text : inPlace(text).toString();
}

function inPlace({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

const compress = promisify(zstdCompress);
const decompress: (bytes: Uint8Array, options: ZstdOptions) => Promise<Buffer> = promisify(zstdDecompress);

/** Another release of the compressor writes the same text in other bytes. */
async function holds(objects: Pick<ObjectStore, 'get'>, key: string, bytes: Buffer): Promise<boolean> {
  const object = await objects.get(key).catch(() => null);
  const text = object === null ? null : await decompress(object, { maxOutputLength: bytes.length }).catch(() => null);
  return text !== null && bytes.equals(text);
}
