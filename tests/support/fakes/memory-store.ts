// Objects in this process's memory, for tests and the simulator. Keeps the promises of the real stores, except
// durability.
import { ObjectConflict, type ObjectStore, ObjectTruncated } from '../../../core/ports/object-store.ts';
import type { Micros } from '../../../core/units.ts';
import { checkKey, checkPart, checkPrefix } from '../../../platform/objects/keys.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';

/** The objects of a store by their keys. */
export type HeldObjects = Map<string, { bytes: Buffer; modifiedAt: Micros }>;

/** Opens an empty store, or one over these objects. */
export function openMemoryStore(now: () => Micros = wallClockNow, objects: HeldObjects = new Map()): ObjectStore {
  const infoOf = (key: string) => {
    const held = objects.get(key);
    return held === undefined ? null : { key, size: held.bytes.length, modifiedAt: held.modifiedAt };
  };
  return {
    async put(key, bytes) {
      checkKey(key);
      const held = objects.get(key);
      if (held === undefined) objects.set(key, { bytes: Buffer.from(bytes), modifiedAt: now() });
      else if (!held.bytes.equals(bytes)) throw new ObjectConflict(key);
    },
    async get(key, part) {
      checkKey(key);
      if (part !== undefined) checkPart(part);
      const held = objects.get(key);
      if (held === undefined) return null;
      const { offset, length } = part ?? { offset: 0, length: held.bytes.length };
      if (offset + length > held.bytes.length) throw new ObjectTruncated(key, offset + length, held.bytes.length);
      return Uint8Array.from(held.bytes.subarray(offset, offset + length));
    },
    async head(key) {
      checkKey(key);
      return infoOf(key);
    },
    async *list(prefix) {
      checkPrefix(prefix);
      for (const key of [...objects.keys()]) {
        const info = key.startsWith(prefix) ? infoOf(key) : null;
        if (info !== null) yield info;
      }
    },
    async delete(keys) {
      for (const key of keys) checkKey(key);
      for (const key of keys) objects.delete(key);
    },
    async close() {},
  };
}
