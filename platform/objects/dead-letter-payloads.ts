// Payloads of dead letters that are too large for a row of the catalog. They become compressed objects, stored before their letters. A key
// is used once, so an object without a letter will never get one. Independent of how letters are stored.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { DeadLetter, HeldPayload } from '../../core/ports/catalog/dead-letters.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';

/** A larger payload is an object. */
const mostInRow = 64 * 1024;

/** The folder of their keys; garbage collection deletes objects without a letter. */
export const lettersFolder = 'letters/';

type Tools = { objects: Pick<ObjectStore, 'put'>; newName: () => string; crash: CrashPoints; log: Log };

/** The outcome for payloads seen before: a push has several batches of letters, and a commit may be retried. */
export type KnownPayloads = WeakMap<Uint8Array, Promise<HeldPayload | null>>;

const compress = promisify(zstdCompress);
const nothing = new Uint8Array();

/** Stores the large payloads of the letters. If the store rejects one, its payload stays in its letter, so none is lost. */
export async function holdPayloads(
  tools: Tools,
  known: KnownPayloads,
  letters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  if (letters.every(({ payload }) => payload.length <= mostInRow)) return letters;
  const stored: DeadLetter[] = [];
  for (const letter of letters) {
    const { payload } = letter;
    const object = payload.length <= mostInRow ? null : await (known.get(payload) ?? hold(tools, known, payload));
    stored.push(object === null ? letter : { ...letter, payload: nothing, held: object });
  }
  tools.crash('letters:held');
  return stored;
}

function hold(tools: Tools, known: KnownPayloads, payload: Uint8Array): Promise<HeldPayload | null> {
  const held = put(tools, payload);
  known.set(payload, held);
  return held;
}

async function put({ objects, newName, log }: Tools, payload: Uint8Array): Promise<HeldPayload | null> {
  const key = `${lettersFolder}${newName()}.zst`;
  try {
    await objects.put(key, await compress(payload));
  } catch (error) {
    log.warn('a payload stays in the database', { bytes: payload.length, error: String(error) });
    return null;
  }
  return { key, size: payload.length, sha256: createHash('sha256').update(payload).digest('hex') };
}

/** The payload of an object; null if the object is missing or has other bytes. */
export async function heldPayload(
  objects: Pick<ObjectStore, 'get'>,
  { key, size, sha256 }: HeldPayload,
): Promise<Uint8Array | null> {
  const bytes = await objects.get(key);
  if (bytes === null) return null;
  try {
    const payload = zstdDecompressSync(bytes, { maxOutputLength: size });
    return createHash('sha256').update(payload).digest('hex') === sha256 ? payload : null;
  } catch {
    return null;
  }
}
