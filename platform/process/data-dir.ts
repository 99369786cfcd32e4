// The data directory as a place that can be had at all. Made level by level: a recursive mkdir of Node never comes back from a file system
// that says of a new directory that it does not exist, as /proc does.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SettingError } from '../config/setting-error.ts';

/** Makes `dir` where it is absent. @throws SettingError when it cannot be made, entered or written */
export function makeDataDir(dir: string): void {
  try {
    makeLevels(resolve(dir));
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError('SDS_DATA_DIR', `is ${dir}, and no directory can be had there (${reason})`, './.data');
  }
}

function makeLevels(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${dir} is a file`);
  if (dirname(dir) !== dir) makeLevels(dirname(dir));
  try {
    mkdirSync(dir);
  } catch (error) {
    // Made by another process meanwhile.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
