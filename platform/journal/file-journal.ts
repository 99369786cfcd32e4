// A journal in files: one entry per line, appended and fsynced; appends during an fsync share the next one. Each process has its own folder
// under a kernel lock, so other processes can detect and adopt the folders of dead ones, and never remove a file that is still being
// written. Independent of what entries mean. An incomplete last line was never acknowledged.
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Journal, TakenEntries } from '../../core/ports/journal.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { FolderSync } from '../objects/folder-sync.ts';
import { type DataDirLock, lockDataDir } from '../process/data-dir-lock.ts';
import { newProcessTag } from '../process/ids.ts';

const suffix = '.journal';
const unnamedPrefix = '.';

/** A journal below `folder`, which other processes may share. Creates nothing before the first entry. */
export function openFileJournal<Entry>(folder: string, log: Log): Journal<Entry> {
  return new FileJournal<Entry>(folder, log);
}

type Waiting = { line: string; done(): void; failed(error: unknown): void };

class FileJournal<Entry> implements Journal<Entry> {
  readonly #folder: string;
  /** The folder of this process; it exists from the first entry on. */
  readonly #own: string;
  readonly #log: Log;
  readonly #folders: FolderSync;
  #lock: DataDirLock | null = null;
  /** Adopted folders of dead processes, ours until acknowledged. */
  readonly #adopted = new Map<string, DataDirLock>();
  #file: Promise<FileHandle> | null = null;
  #files = 0;
  #waiting: Waiting[] = [];
  /** Called with the number of the newest complete file once appends go to the next one. */
  #turning: ((newest: number) => void)[] = [];
  #isWriting = false;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#own = join(folder, newProcessTag());
    this.#log = log;
    this.#folders = new FolderSync(dirname(folder));
  }

  append(entry: Entry): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Closes the current file after all appends so far; returns the newest file's number. */
  #turn(): Promise<number> {
    return new Promise((turned) => {
      this.#turning.push(turned);
      if (!this.#isWriting) void this.#write();
    });
  }

  /** The single writer: runs while there is something to write and picks up new entries each round. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0 || this.#turning.length > 0) {
      const batch = this.#waiting.splice(0);
      const turning = this.#turning.splice(0);
      if (batch.length > 0) await this.#append(batch);
      if (turning.length > 0) await this.#shut();
      for (const turned of turning) turned(this.#files);
    }
    this.#isWriting = false;
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#file ??= this.#lock === null ? this.#begin() : this.#create();
      await appendWhole(await this.#file, batch.map(({ line }) => line).join(''));
      for (const { done } of batch) done();
    } catch (error) {
      await this.#shut();
      for (const { failed } of batch) failed(error);
    }
  }

  /**
   * Makes the folder of this process and its first file. It gets its name once it is locked: before, another process would take it for that
   * of a dead one.
   */
  async #begin(): Promise<FileHandle> {
    const unnamed = join(this.#folder, `${unnamedPrefix}${basename(this.#own)}`);
    await this.#folders.ensure(unnamed);
    const lock = lockDataDir(unnamed);
    try {
      await rename(unnamed, this.#own);
    } catch (error) {
      lock.release();
      throw error;
    }
    this.#lock = lock;
    await this.#folders.sync(this.#folder);
    return await this.#create();
  }

  async #create(): Promise<FileHandle> {
    this.#files += 1;
    const handle = await open(join(this.#own, `${this.#files}${suffix}`), 'wx', 0o600);
    await this.#folders.sync(this.#own);
    return handle;
  }

  /** Closes the current file; later appends go to a new one. */
  async #shut(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.then((handle) => handle.close()).catch(() => {});
  }

  async take(): Promise<TakenEntries<Entry> | null> {
    const newest = await this.#turn();
    for (const name of await namesIn(this.#folder)) {
      const folder = join(this.#folder, name);
      if (name.startsWith(unnamedPrefix) || folder === this.#own || this.#adopted.has(folder)) continue;
      const lock = lockOfTheDead(folder);
      if (lock !== null) this.#adopted.set(folder, lock);
    }
    const adopted = [...this.#adopted.keys()];
    // A file begun since then belongs to the next batch: it is still being written.
    const files = (await journalsIn(this.#own)).filter((file) => numberOf(file) <= newest);
    for (const folder of adopted) files.push(...(await journalsIn(folder)));
    const entries: Entry[] = [];
    for (const file of files) entries.push(...(await this.#read(file)));
    if (files.length === 0) await this.#remove(adopted);
    return files.length === 0 ? null : { entries, acknowledge: () => this.#acknowledge(files, adopted) };
  }

  async #acknowledge(files: readonly string[], adopted: readonly string[]): Promise<void> {
    for (const file of files) await rm(file, { force: true });
    await this.#remove(adopted);
  }

  async #remove(adopted: readonly string[]): Promise<void> {
    for (const folder of adopted) {
      await rm(folder, { recursive: true, force: true });
      this.#adopted.get(folder)?.release();
      this.#adopted.delete(folder);
    }
  }

  async #read(file: string): Promise<Entry[]> {
    const lines = (await readFile(file, 'utf8')).split('\n');
    const entries: Entry[] = [];
    // Text after the last newline is an incomplete line.
    for (const line of lines.slice(0, -1)) {
      try {
        entries.push(JSON.parse(line) as Entry);
      } catch {
        this.#log.error('a line of a journal cannot be read', { file, line: line.slice(0, 200) });
      }
    }
    return entries;
  }

  async close(): Promise<void> {
    await this.#turn();
    const isEmpty = this.#lock !== null && (await journalsIn(this.#own)).length === 0;
    if (isEmpty) await rm(this.#own, { recursive: true, force: true });
    for (const lock of [this.#lock, ...this.#adopted.values()]) lock?.release();
    this.#lock = null;
    this.#adopted.clear();
  }
}

/** Appends and fsyncs, or restores the file: an append that failed must not be found later. */
async function appendWhole(handle: FileHandle, text: string): Promise<void> {
  const { size } = await handle.stat();
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } catch (error) {
    await handle.truncate(size).catch(() => {});
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function journalsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => name.endsWith(suffix)).map((name) => join(folder, name));
}

function numberOf(file: string): number {
  return Number(basename(file, suffix));
}

/** The lock of a dead process's folder; null while that process lives. */
function lockOfTheDead(folder: string): DataDirLock | null {
  try {
    return lockDataDir(folder);
  } catch {
    return null;
  }
}
