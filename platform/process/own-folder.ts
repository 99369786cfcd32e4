// Checks that no other user can prepare, replace or read our files in a folder, and which folder a path leads to.
import { closeSync, constants, fsyncSync, openSync, type Stats, statSync } from 'node:fs';

/** @throws Error when the folder belongs to another user, or others may change its contents */
export function checkOwnFolder(folder: string): void {
  const fault = faultOfFolder(statSync(folder), process.getuid?.());
  if (fault !== null) throw new Error(fault);
}

const [byOthers, sticky] = [0o002, 0o1000];

/**
 * Null if user `uid` may trust the folder. Root is always trusted, and so is the owner's group: on many systems it contains only that user,
 * and folders are group-writable. If everyone may write, the sticky bit protects our files.
 */
export function faultOfFolder(
  { uid: owner, mode }: Pick<Stats, 'uid' | 'mode'>,
  uid: number | undefined,
): string | null {
  if (uid === undefined) return null;
  if (owner !== uid && owner !== 0)
    return `the folder belongs to another user (uid ${owner}), and this one has uid ${uid}`;
  if ((mode & byOthers) !== 0 && (mode & sticky) === 0)
    return `other users may write into the folder (mode ${(mode & 0o7777).toString(8)}): remove that permission, or choose another`;
  return null;
}

/** Whether both paths lead to the same folder, for example through a link; a copy is another folder. */
export function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Creates a new file: never opens an existing one, never follows a link; only its owner can read it. */
export function openNewFile(file: string): number {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
}

/** Makes renames and links in the folder durable. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
