// Objects as files below one folder. A put writes a temporary file, makes it durable and links it under its key. The link is atomic: it
// decides races, shows the object whole or not at all, and fails if the key is taken. Independent of what keys mean.
import { constants } from 'node:fs';
import { access, link, open, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { ObjectConflict, type ObjectInfo, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import { wallClockNow } from '../process/clock.ts';
import { newProcessTag } from '../process/ids.ts';
import { checkOwnFolder } from '../process/own-folder.ts';
import { FolderSync } from './folder-sync.ts';
import { checkKey, checkPart, checkPrefix } from './keys.ts';

/** Where files are written before they get their key. No key can start with it: see `pathIn`. */
const asideName = '.aside';
/** A killed process leaves temporary files behind; once they are this old, no writer can still be using them. */
const asideLifeMicros = 3_600_000_000;
/** How often a put starts over because its folder or a rival's file vanished. */
const maxTries = 10;

/** Reads the objects in `root`, which may be on a medium that cannot be written to. Without the folder there are no objects. */
export function readDiskStore(root: string): Pick<ObjectStore, 'get' | 'head' | 'list'> {
  const base = resolve(root);
  return {
    async get(key, part) {
      const path = pathIn(base, key);
      if (part === undefined) return orNull(readFile(path));
      checkPart(part);
      return orNull(readPart(path, key, part));
    },
    async head(key) {
      const info = await orNull(stat(pathIn(base, key)));
      return info === null || !info.isFile() ? null : infoOf(key, info);
    },
    async *list(prefix) {
      checkPrefix(prefix);
      // Walks only the prefix's own folder and compares the rest of the prefix.
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      for await (const info of walk(base, folder)) if (info.key.startsWith(prefix)) yield info;
    },
  };
}

/** Opens the store in `root`, creating the folder if absent. @throws Error when other users may change its contents */
export async function openDiskStore(root: string): Promise<ObjectStore> {
  const base = resolve(root);
  const aside = join(base, asideName);
  const folders = new FolderSync(dirname(base));
  await folders.ensure(aside);
  checkOwnFolder(base);
  checkOwnFolder(aside);
  await access(aside, constants.W_OK);
  await sweepAside(aside);
  const tag = newProcessTag();
  let count = 0;

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathIn(base, key);
    count += 1;
    const written = join(aside, `${tag}-${count}`);
    const forget = (): Promise<void> => rm(written, { force: true }).catch(() => {});
    try {
      await writeDurably(written, bytes);
      await linkInto(folders, written, path, key, bytes);
    } catch (error) {
      await forget();
      throw error;
    }
    await Promise.all([folders.sync(dirname(path)), forget()]);
  }

  return {
    ...readDiskStore(base),
    put,
    async delete(keys) {
      const paths = keys.map((key) => pathIn(base, key));
      for (const path of paths) {
        await orNull(unlink(path));
        await pruneFolders(folders, base, dirname(path));
      }
    },
    async close() {},
  };
}

/** The file of a key. Keys have been checked, but this asserts again that the path stays inside. */
function pathIn(base: string, key: string): string {
  checkKey(key);
  const path = resolve(base, key);
  if (!path.startsWith(base + sep) || path.startsWith(join(base, asideName)))
    throw new RangeError(`key ${key} leaves the store`);
  return path;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  // Never overwrites a file or follows a link.
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Links the written file under its key. The link is durable once its folder is. */
async function linkInto(
  folders: FolderSync,
  written: string,
  path: string,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  for (let left = maxTries; ; left -= 1) {
    await folders.ensure(dirname(path));
    try {
      await link(written, path);
      break;
    } catch (error) {
      // Another process pruned the folder between the two steps.
      if (left > 0 && hasCode(error, 'ENOENT')) folders.forget();
      else if (left <= 0 || !hasCode(error, 'EEXIST')) throw error;
      else if (await holds(path, key, bytes)) break;
    }
  }
}

/** Whether the file holds `bytes`; false if it has vanished. */
async function holds(path: string, key: string, bytes: Uint8Array): Promise<boolean> {
  const held = await orNull(readFile(path));
  if (held === null) return false;
  if (!held.equals(bytes)) throw new ObjectConflict(key);
  return true;
}

async function readPart(path: string, key: string, part: { offset: number; length: number }): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(part.length);
    let read = 0;
    while (read < part.length) {
      const { bytesRead } = await file.read(bytes, read, part.length - read, part.offset + read);
      if (bytesRead === 0) throw new ObjectTruncated(key, part.offset + part.length, part.offset + read);
      read += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function* walk(base: string, folder: string): AsyncGenerator<ObjectInfo> {
  const entries = await orNull(readdir(join(base, folder), { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const key = folder + entry.name;
    if (entry.isDirectory() && key !== asideName) yield* walk(base, `${key}/`);
    if (!entry.isFile()) continue;
    const info = await orNull(stat(join(base, key)));
    if (info !== null) yield infoOf(key, info);
  }
}

/** Removes the folders that a delete has emptied. */
async function pruneFolders(folders: FolderSync, base: string, from: string): Promise<void> {
  for (let folder = from; folder.startsWith(base + sep); folder = dirname(folder)) {
    try {
      await rmdir(folder);
      folders.forget();
    } catch {
      return;
    }
  }
}

async function sweepAside(aside: string): Promise<void> {
  for (const name of await readdir(aside)) {
    const path = join(aside, name);
    const info = await orNull(stat(path));
    if (info !== null && wallClockNow() - info.mtimeMs * 1000 > asideLifeMicros) await rm(path, { force: true });
  }
}

function infoOf(key: string, info: { size: number; mtimeMs: number }): ObjectInfo {
  return { key, size: info.size, modifiedAt: Math.floor(info.mtimeMs * 1000) };
}

/** The result, or null if there is no such file. A file in place of a folder, or the reverse, also counts as absent. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EISDIR')) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
