// The data directory as a place that can be had at all, and that is no other user's: its folders are entered and its files read by this user
// only. Made level by level: a recursive mkdir of Node never comes back from a file system that says of a new directory that it does not
// exist, as /proc does.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SettingError } from '../config/setting-error.ts';

/** Makes `dir` where it is absent. @throws SettingError when it cannot be made, entered or written, or is another user's */
export function makeDataDir(dir: string): void {
  try {
    makeLevels(resolve(dir), 0o700);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError('SDS_DATA_DIR', `is ${dir}, and no directory can be had there (${reason})`, './.data');
  }
  const { uid } = statSync(dir);
  if (!isOurs(uid))
    throw new SettingError(
      'SDS_DATA_DIR',
      `is ${dir}, which belongs to another user (uid ${uid}): run as that user, or choose another directory`,
      './.data',
    );
}

function makeLevels(dir: string, mode: number): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${dir} is a file`);
  if (dirname(dir) !== dir) makeLevels(dirname(dir), 0o777);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // Made by another process meanwhile.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/**
 * Takes the rights of others from a data directory that an earlier version, or somebody else, left open; answers from how many files and
 * folders. One that is closed is not searched: what is in it is as this version makes it.
 */
export function closeDataDir(dir: string): number {
  const home = resolve(dir);
  const top = namesIn(home);
  if (![home, ...top].some((path) => isOpen(found(path), path === home))) return 0;
  // The folder itself last: until it is closed, the next start searches it again.
  return top.reduce((sum, path) => sum + closeBelow(path), 0) + closeOne(home, true);
}

function closeBelow(path: string): number {
  const at = found(path);
  // The embedded server's own folders are closed, and another user's where this one is root.
  const below = at?.isDirectory() && isOurs(at.uid) ? namesIn(path) : [];
  return below.reduce((sum, each) => sum + closeBelow(each), 0) + closeOne(path, false);
}

/** Other processes may be at work in the directory: what is gone meanwhile needs no closing. */
function closeOne(path: string, isHome: boolean): number {
  const at = found(path);
  if (at === undefined || !isOpen(at, isHome)) return 0;
  return (
    orGone(() => {
      chmodSync(path, at.mode & rightsOf(isHome));
      return 1;
    }) ?? 0
  );
}

function isOpen(at: Stats | undefined, isHome: boolean): boolean {
  if (at === undefined || !isOurs(at.uid) || !(at.isFile() || at.isDirectory())) return false;
  return (at.mode & 0o777 & ~rightsOf(isHome)) !== 0;
}

/** What stays: where root starts the server as another user, that user's group may pass through the data directory, and see nothing in it. */
function rightsOf(isHome: boolean): number {
  return isHome && process.getuid?.() === 0 ? 0o710 : 0o700;
}

function found(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function namesIn(folder: string): string[] {
  return (orGone(() => readdirSync(folder)) ?? []).map((name) => join(folder, name));
}

function orGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
