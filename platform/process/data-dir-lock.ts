// One instance per data directory. The lock is the kernel's, on an SQLite file that holds nothing: it dies with its holder, however
// that dies, is released by no other process, and two starters can never both have it. The pid beside it is only for the message.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir } from './data-dir.ts';

export type DataDirLock = { release(): void };

/** Another process holds the data directory. The message is the one line to show. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

const sqliteBusy = 5;

/** A lock lasts as long as its process even when nobody keeps it: one that is collected as garbage would be let go. */
const locks = new Set<DatabaseSync>();

/**
 * Takes `dir` for this process, creating it when absent.
 * @throws DataDirInUse when another process (or this one) has it; SettingError when there can be no such directory.
 */
export function lockDataDir(dir: string): DataDirLock {
  makeDataDir(dir);
  const pidFile = join(dir, 'instance.pid');
  const lockFile = join(dir, 'instance.lock');
  // SQLite gives its journal the mode of its file, and makes no file that is there already.
  closeSync(openSync(lockFile, 'a', 0o600));
  const held = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    held.exec('pragma locking_mode = exclusive; pragma journal_mode = off; begin exclusive');
  } catch (error) {
    held.close();
    if (!isBusy(error)) throw error;
    const pid = readPid(pidFile);
    throw new DataDirInUse(
      `data directory ${dir} is in use by another instance${pid === null ? '' : ` (pid ${pid})`}: stop that one, or set SDS_DATA_DIR to another directory`,
    );
  }
  locks.add(held);
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(pidFile, { force: true });
      held.close();
      locks.delete(held);
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isNaN(pid) ? null : pid;
  } catch {
    return null;
  }
}
