// The list of a backup's objects, one line each: key, size and SHA-256. It is written as they are copied and has a SHA-256 of its own in the
// description, so that a restore can name what is missing or has changed.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { ObjectStore } from '../../core/ports/object-store.ts';

export type ListedObject = { key: string; size: number; sha256: string };

/** A store that lists what is put into it. `finish` completes the file, and returns how many objects and bytes it lists. */
export type ListingStore = Pick<ObjectStore, 'get' | 'head' | 'put' | 'list'> & {
  finish(): Promise<{ objects: number; bytes: number }>;
};

export function listingStore(store: ObjectStore, file: string): ListingStore {
  const lines = createWriteStream(file, { mode: 0o600, flush: true });
  const done = finished(lines);
  done.catch(() => {});
  const listed = { objects: 0, bytes: 0 };
  return {
    get: (key, part) => store.get(key, part),
    head: (key) => store.head(key),
    list: (prefix) => store.list(prefix),
    async put(key, bytes) {
      const isNew = (await store.head(key)) === null;
      await store.put(key, bytes);
      if (!isNew) return;
      listed.objects += 1;
      listed.bytes += bytes.length;
      const line: ListedObject = { key, size: bytes.length, sha256: sha256OfBytes(bytes) };
      lines.write(`${JSON.stringify(line)}\n`);
    },
    async finish() {
      lines.end();
      await done;
      return listed;
    },
  };
}

export async function* listedObjects(file: string): AsyncGenerator<ListedObject> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as ListedObject;
}

export function sha256OfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
