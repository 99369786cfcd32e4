// Copies the objects of one store into another. Objects never change, so existing copies are valid, and an interrupted copy can be
// continued.
import { ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';
import { counted, type OpenProgress, openProgress } from '../session/progress.ts';
import { type ListedObject, sha256OfBytes } from './object-list.ts';

export type CountedObjects = { objects: number; bytes: number };

/**
 * Copies the objects that `to` lacks. Those that are collected meanwhile are left out. `all`: how many `from` has, about. Returns the keys that
 * the store says are damaged.
 */
export async function copyObjects(
  from: Pick<ObjectStore, 'list' | 'get'>,
  to: Pick<ObjectStore, 'head' | 'put'>,
  interrupted: AbortSignal,
  all: number,
  open: OpenProgress = openProgress,
): Promise<readonly string[]> {
  const damaged: string[] = [];
  using progress = open({ unit: 'objects', all });
  for await (const { key } of counted(progress, from.list(''))) {
    interrupted.throwIfAborted();
    if ((await to.head(key)) !== null) continue;
    const bytes = await from.get(key).catch((error: unknown) => {
      if (!(error instanceof ObjectDamaged)) throw error;
      damaged.push(key);
      return null;
    });
    if (bytes !== null) await to.put(key, bytes);
  }
  return damaged;
}

/** Copies the `all` listed objects that `to` lacks. Returns the keys of those that are not as listed, and were not copied. */
export async function copyListed(
  from: Pick<ObjectStore, 'get'>,
  to: Pick<ObjectStore, 'head' | 'put'>,
  listed: AsyncIterable<ListedObject>,
  interrupted: AbortSignal,
  all: number,
  open: OpenProgress = openProgress,
): Promise<readonly string[]> {
  const damaged: string[] = [];
  using progress = open({ unit: 'objects', all });
  for await (const { key, sha256 } of counted(progress, listed)) {
    interrupted.throwIfAborted();
    if ((await to.head(key)) !== null) continue;
    const bytes = await from.get(key);
    if (bytes === null || sha256OfBytes(bytes) !== sha256) damaged.push(key);
    else await to.put(key, bytes);
  }
  return damaged;
}

export async function countObjects(
  store: Pick<ObjectStore, 'list'>,
  interrupted: AbortSignal,
): Promise<CountedObjects> {
  const counted = { objects: 0, bytes: 0 };
  for await (const { size } of store.list('')) {
    interrupted.throwIfAborted();
    counted.objects += 1;
    counted.bytes += size;
  }
  return counted;
}

/** @throws Error when the number of objects differs from the description */
export function assertCounted(described: CountedObjects, found: CountedObjects): void {
  if (found.objects !== described.objects || found.bytes !== described.bytes)
    throw new Error(
      `the backup has ${found.objects} objects of ${found.bytes} bytes, and says ${described.objects} of ${described.bytes}: take another copy of it`,
    );
}
