// Whether a folder is one in which no other user prepares, exchanges or reads our files. Unaware of what is kept in it.
import { closeSync, constants, fsyncSync, openSync, type Stats, statSync } from 'node:fs';

/** @throws Error when the folder is another user's, or others may change what is in it */
export function checkOwnFolder(folder: string): void {
  const fault = faultOfFolder(statSync(folder), process.getuid?.());
  if (fault !== null) throw new Error(fault);
}

const [byOthers, sticky] = [0o002, 0o1000];

/**
 * Null where user `uid` may trust the folder. Root is trusted everywhere, and so is the owner's group: on many systems it is a group of that
 * user alone, and folders are writable by it. Where all others may write too, the sticky bit keeps their hands off our files.
 */
export function faultOfFolder(
  { uid: owner, mode }: Pick<Stats, 'uid' | 'mode'>,
  uid: number | undefined,
): string | null {
  if (uid === undefined) return null;
  if (owner !== uid && owner !== 0)
    return `the folder belongs to another user (uid ${owner}), and this one has uid ${uid}`;
  if ((mode & byOthers) !== 0 && (mode & sticky) === 0)
    return `other users may write into the folder (mode ${(mode & 0o7777).toString(8)}): take that right away, or choose another`;
  return null;
}

/** Opens a new file of our own: never one that is there, never through a link, readable by its owner only. */
export function openNewFile(file: string): number {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
}

/** Makes what was renamed or linked in the folder durable. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
