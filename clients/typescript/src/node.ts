// Stores of files for Node: cursors that outlive the program, and a cache of final files.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CursorStore } from './stores.ts';
import type { FileCache } from './transport.ts';

/** One small file per game in a folder. A cursor is on the disk before it counts as saved, and is replaced whole. */
export function fileStore(folder: string): CursorStore {
  const place = (key: string): string => join(folder, `${key}.cursor`);
  return {
    load: async (key) => (await ifThere(readFile(place(key), 'utf8')))?.trim() ?? null,
    async save(key, cursor) {
      await mkdir(folder, { recursive: true });
      await replaceFile(place(key), `${cursor}\n`);
    },
  };
}

/** Final files by their path, with their ETags. A file that is not whole, or cannot be read, is as good as none. Delete the folder at any time. */
export function fileCache(folder: string, baseUrl: string): FileCache {
  const own = join(folder, sha256(baseUrl.replace(/\/+$/, '')).slice(0, 16));
  const place = (path: string, suffix: string): string => join(own, `${sha256(path)}.${suffix}`);
  return {
    async recall(path) {
      try {
        const etag = (await readFile(place(path, 'etag'), 'utf8')).trim();
        const body = await readFile(place(path, 'parquet'));
        return etag === `"${sha256(body)}"` ? { etag, body: new Uint8Array(body) } : null;
      } catch {
        return null;
      }
    },
    async keep(path, etag, body) {
      await mkdir(own, { recursive: true });
      await replaceFile(place(path, 'parquet'), body);
      await replaceFile(place(path, 'etag'), `${etag}\n`);
    },
  };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    const file = await open(aside, 'w');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
