// Stores elements that are too large for a record in the object store, before any record refers to them (docs/revisions.md#observations).
// Nothing is truncated. The key is the hash of the text, so the same element is the same object. It is compressed: a body that is small on
// the wire is small in the store.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib';
import { heldElementKey, mostInlineBytes, plainElementKey } from '../../core/msf/bodies/held-element.ts';
import { ObjectConflict, ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';
import type { MsfObservation } from '../../schemas/events/observations.ts';
import type { WrittenJson } from '../adapters/json-text.ts';
import { giveBack } from './gathered-bytes.ts';

/** The object store cannot take an element now; a retry may help. */
export class ElementNotHeld extends Error {
  override readonly name = 'ElementNotHeld';
}

/** Both objects that may hold an element hold something else: the administrator must put it right. */
class ElementDamaged extends Error {
  override readonly name = 'ElementDamaged';
  constructor(key: string, plainKey: string) {
    super(`objects ${key} and ${plainKey} are damaged: restore one of them from a backup, or delete it`);
  }
}

/** The part of an observation that carries its element: the text itself, or a reference to the stored object. */
export type CarriedElement = Pick<MsfObservation, 'element' | 'held'>;

/**
 * Carries the elements of one push. A text equal to the previous one is stored once, because all games of a league without changes have the
 * same. Rejects with ElementNotHeld.
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

/** Stores or embeds the element of this text. The memory of stored bytes is freed, because nothing else reads them. */
async function holdElement(objects: Pick<ObjectStore, 'put' | 'get'>, text: WrittenJson): Promise<CarriedElement> {
  if (Buffer.byteLength(text) <= mostInlineBytes) return { element: textOf(text), held: null };
  const bytes = typeof text === 'string' ? Buffer.from(text) : inPlace(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const size = bytes.length;
  const [key, plainKey] = [heldElementKey(sha256), plainElementKey(sha256)];
  try {
    const isHeld =
      (await isPut(objects, key, await compress(bytes), bytes)) || (await isPut(objects, plainKey, bytes, bytes));
    if (!isHeld) throw new ElementDamaged(key, plainKey);
  } catch (error) {
    if (error instanceof ElementDamaged) throw error;
    throw new ElementNotHeld(`an element of ${size} bytes was not written`, { cause: error });
  }
  giveBack(bytes);
  return { element: null, held: { sha256, size } };
}

/** Writes one form of the text; false where its key holds something else, which a write-once key keeps. Readers try the next form too. */
async function isPut(
  objects: Pick<ObjectStore, 'put' | 'get'>,
  key: string,
  form: Uint8Array,
  text: Buffer,
): Promise<boolean> {
  try {
    await objects.put(key, form);
    return true;
  } catch (error) {
    if (isOfObject(error)) return form !== text && (await holds(objects, key, text));
    throw error;
  }
}

/** Whether an error says what the key holds, so that no retry helps. */
function isOfObject(error: unknown): boolean {
  return error instanceof ObjectConflict || error instanceof ObjectDamaged;
}

function textOf(text: WrittenJson): string {
  return typeof text === 'string' ? text : inPlace(text).toString();
}

function inPlace({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

const compress = promisify(zstdCompress);
const decompress: (bytes: Uint8Array, options: ZstdOptions) => Promise<Buffer> = promisify(zstdDecompress);

/** Another release of the compressor writes the same text as different bytes. */
async function holds(objects: Pick<ObjectStore, 'get'>, key: string, bytes: Buffer): Promise<boolean> {
  const object = await objects.get(key).catch((error: unknown) => {
    if (isOfObject(error)) return null;
    throw error;
  });
  const text = object === null ? null : await decompress(object, { maxOutputLength: bytes.length }).catch(() => null);
  return text !== null && bytes.equals(text);
}
