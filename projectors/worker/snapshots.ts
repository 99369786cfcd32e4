// Snapshots of a partition's state: one compressed object each. An owner begins with the newest committed one that is intact: a damaged one costs
// time, never the partition. Its key says what its bytes are, so that none of them is believed that is another: a state's own digest need not
// go through all of it.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { SavedState, Snapshot } from '../../core/ports/catalog/checkpoints.ts';
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

/** A state to fold on from, and what is known of the snapshots by then. */
export type Opened<State> = {
  state: State;
  /** The snapshot that the state is of and those behind it, newest first; none where the state is of the log alone. */
  kept: readonly SavedState[];
  /** Newer ones, which cannot be used. */
  unusable: readonly SavedState[];
};

/**
 * What `start` makes of the newest snapshot that is intact, or of null where none is: then the whole log has to be folded.
 * Calls `onUnusable` for each that is passed over.
 */
export async function openNewest<State>(
  objects: Pick<ObjectStore, 'get'>,
  snapshot: Snapshot | null,
  start: (saved: unknown) => State,
  onUnusable: (key: string, reason: string) => void,
): Promise<Opened<State>> {
  const all = snapshot === null ? [] : [{ key: snapshot.key, offset: snapshot.offset }, ...snapshot.older];
  for (const [index, { key }] of all.entries()) {
    const loaded = await loadSnapshot(objects, key, start);
    if ('state' in loaded) return { state: loaded.state, kept: all.slice(index), unusable: all.slice(0, index) };
    onUnusable(key, loaded.reason);
  }
  return { state: start(null), kept: [], unusable: all };
}

/** Bytes may be damaged on their way; those of the same object will hardly be so often. */
const mostReads = 3;

/** What `start` makes of a snapshot; or the reason why nothing can be made of it. */
async function loadSnapshot<State>(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  start: (saved: unknown) => State,
): Promise<{ state: State } | { reason: string }> {
  for (let reads = 0; reads < mostReads; reads += 1) {
    const bytes = await objects.get(key).catch(undefinedOfDamaged);
    if (bytes === undefined) break;
    if (bytes === null) return { reason: 'is absent' };
    if (!key.endsWith(`-${hashOf(bytes)}.json.zst`)) continue;
    try {
      return { state: start(JSON.parse(zstdDecompressSync(bytes).toString('utf8'))) };
    } catch (error) {
      return { reason: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  return { reason: 'is damaged' };
}

/** A store that says so has read the object more than once. */
function undefinedOfDamaged(error: unknown): undefined {
  if (error instanceof ObjectDamaged) return undefined;
  throw error;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}
