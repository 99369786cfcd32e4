// Snapshots of a partition's state: one compressed object each, of which the newest committed one is where an owner begins. Its key says what
// its bytes are, so that none of them is believed that is another: a state's own digest need not go through all of it.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import { Halted } from '../../core/ports/broker.ts';
import type { Claim } from '../../core/ports/catalog/checkpoints.ts';
import { ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';

const compress = promisify(zstdCompress);

/** Puts `saved` as a new object whose key begins with `prefix`. */
export async function putSnapshot(
  objects: Pick<ObjectStore, 'put'>,
  prefix: string,
  saved: unknown,
): Promise<{ key: string; size: number; files: number }> {
  // That of a season has megabytes: other work goes on while they are compressed.
  const bytes = await compress(JSON.stringify(saved));
  const key = `${prefix}-${hashOf(bytes)}.json.zst`;
  await objects.put(key, bytes);
  return { key, size: bytes.length, files: 1 };
}

/** What `start` makes of the snapshot, or of null where there is none. @throws Halted when the snapshot is absent or damaged */
export async function loadSnapshot<State>(
  objects: Pick<ObjectStore, 'get'>,
  snapshot: Claim['snapshot'],
  start: (saved: unknown) => State,
): Promise<State> {
  if (snapshot === null) return start(null);
  const remedy = `bring back the object ${snapshot.key}, then restart the projectors`;
  const damaged = (cause?: unknown) => new Halted(`snapshot ${snapshot.key} is damaged`, remedy, { cause });
  const bytes = await objects.get(snapshot.key).catch((error: unknown) => {
    throw error instanceof ObjectDamaged ? damaged(error) : error;
  });
  if (bytes === null) throw new Halted(`snapshot ${snapshot.key} is absent`, remedy);
  if (!snapshot.key.endsWith(`-${hashOf(bytes)}.json.zst`)) throw damaged();
  try {
    return start(JSON.parse(zstdDecompressSync(bytes).toString('utf8')));
  } catch (error) {
    throw damaged(error);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}
