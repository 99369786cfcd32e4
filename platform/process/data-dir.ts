// Checks the data directory: it must be usable, and only this user may enter its folders and read its files. Created level by level,
// because Node's recursive mkdir never returns on a file system that reports a new directory as missing, as /proc does.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SettingError } from '../config/setting-error.ts';

/** Creates `dir` if absent. @throws SettingError when it cannot be created, entered or written, or belongs to another user */
export function makeDataDir(dir: string): void {
  try {
    makeLevels(resolve(dir), 0o700);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError('SDS_DATA_DIR', `is ${dir}, and no directory can be created there (${reason})`, './.data');
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
    // Another process has created it meanwhile.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/**
 * Removes other users' permissions from a data directory that an earlier version, or a person, left open; returns for how many files and
 * folders. Does not search a closed directory: this version creates only closed files in it.
 */
export function closeDataDir(dir: string): number {
  const home = resolve(dir);
  const top = namesIn(home);
  if (![home, ...top].some((path) => isOpen(found(path), path === home))) return 0;
  // The folder itself comes last: until it is closed, the next start searches it again.
  return top.reduce((sum, path) => sum + closeBelow(path), 0) + closeOne(home, true);
}

function closeBelow(path: string): number {
  const at = found(path);
  // The embedded server's own folders are closed, and belong to another user if this process is root.
  const below = at?.isDirectory() && isOurs(at.uid) ? namesIn(path) : [];
  return below.reduce((sum, each) => sum + closeBelow(each), 0) + closeOne(path, false);
}

/** Other processes may be working in the directory: a path that has vanished needs no closing. */
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

/**
 * The permissions that remain: if root runs the server as another user, that user's group may pass through the data directory but not list
 * it.
 */
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
