// One instance per data directory. The kernel holds the lock, on an empty SQLite file: it is released however the holder dies, no other
// process can release it, and two starters can never both get it. The pid file only serves the message.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataDir } from './data-dir.ts';

export type DataDirLock = { release(): void };

/** Another process holds the data directory. The message fits one line. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

const sqliteBusy = 5;

/** Keeps locks reachable for the life of the process: garbage collection would release them. */
const locks = new Set<DatabaseSync>();

/**
 * Locks `dir` for this process, creating it if absent.
 * @throws DataDirInUse when another process (or this one) has it; SettingError when the directory cannot be used.
 */
export function lockDataDir(dir: string): DataDirLock {
  makeDataDir(dir);
  const pidFile = join(dir, 'instance.pid');
  const lockFile = join(dir, 'instance.lock');
  // SQLite gives its journal the mode of this file, and does not replace an existing file.
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
