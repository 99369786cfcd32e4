// Snapshots of a partition's state: one compressed object each. An owner begins with the newest intact one: damage costs time, never the
// partition. The key contains the digest of the bytes, so altered bytes are detected even where the state's own digest does not cover them.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { parseJson } from '../../core/json/parse-json.ts';
import { writingJson } from '../../core/json/writing-json.ts';
import type { SavedState, Snapshot } from '../../core/ports/catalog/checkpoints.ts';
import { ObjectDamaged, type ObjectStore } from '../../core/ports/object-store.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { RunTask } from './time-slices.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Puts what `saving` gives as a new object whose key begins with `prefix`. */
export async function putSnapshot(
  { objects, runTask }: { objects: Pick<ObjectStore, 'put'>; runTask: RunTask },
  prefix: string,
  saving: Task<unknown>,
): Promise<{ key: string; size: number; files: number }> {
  // A season's snapshot has megabytes: other work continues while its text is written and compressed.
  const bytes = await compress(await runTask(writingSaved(saving)));
  const key = `${prefix}-${hashOf(bytes)}.json.zst`;
  await objects.put(key, bytes);
  return { key, size: bytes.length, files: 1 };
}

function* writingSaved(saving: Task<unknown>): Task<string> {
  return yield* writingJson(yield* saving);
}

/** A state to continue from, and what is known of the snapshots. */
export type Opened<State> = {
  state: State;
  /** The snapshot of the state and the older ones, newest first; empty if the state comes from the log alone. */
  kept: readonly SavedState[];
  /** Newer ones, which cannot be used. */
  unusable: readonly SavedState[];
};

/**
 * What `start` makes of the newest intact snapshot, or of null if there is none: then the whole log must be folded. Calls `onUnusable` for each
 * snapshot that is skipped.
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

/** Reads of one snapshot: damage on the way hardly repeats so often. */
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
      return { state: start(parseJson((await decompress(bytes)).toString('utf8'))) };
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
