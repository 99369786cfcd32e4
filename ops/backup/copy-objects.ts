// Copies the objects of one store into another. Objects never change, so existing copies are valid, and an interrupted copy can be
// continued.
import type { ObjectStore } from '../../core/ports/object-store.ts';

export type CopiedObjects = { objects: number; bytes: number };

/** Copies the objects that `to` lacks; those that are collected meanwhile are left out. Returns what it copied. */
export async function copyObjects(
  from: Pick<ObjectStore, 'list' | 'get'>,
  to: Pick<ObjectStore, 'head' | 'put'>,
  interrupted: AbortSignal,
): Promise<CopiedObjects> {
  const copied = { objects: 0, bytes: 0 };
  for await (const { key } of from.list('')) {
    interrupted.throwIfAborted();
    if ((await to.head(key)) !== null) continue;
    const bytes = await from.get(key);
    if (bytes === null) continue;
    await to.put(key, bytes);
    copied.objects += 1;
    copied.bytes += bytes.length;
  }
  return copied;
}

export async function countObjects(store: Pick<ObjectStore, 'list'>): Promise<CopiedObjects> {
  const counted = { objects: 0, bytes: 0 };
  for await (const { size } of store.list('')) {
    counted.objects += 1;
    counted.bytes += size;
  }
  return counted;
}

/** @throws Error when the number of objects differs from the description */
export function assertCounted(described: CopiedObjects, found: CopiedObjects): void {
  if (found.objects !== described.objects || found.bytes !== described.bytes)
    throw new Error(`the backup has ${found.objects} objects, and says ${described.objects}`);
}
