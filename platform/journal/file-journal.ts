// A journal in files: one entry a line, appended and fsynced; appends that come while an fsync runs share the next. Each process has a
// folder of its own, locked by the kernel for as long as it lives, so that those of the dead are known and taken over, and nobody's file
// is removed while it is written. Knows nothing of what an entry means. A line that was cut off was never promised to anybody.
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Journal, Taken } from '../../core/ports/journal.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { FolderSync } from '../objects/folder-sync.ts';
import { type DataDirLock, lockDataDir } from '../process/data-dir-lock.ts';
import { newProcessTag } from '../process/ids.ts';

const suffix = '.journal';

/** A journal below `folder`, which other processes may share. Nothing is made before the first entry. */
export function openFileJournal<Entry>(folder: string, log: Log): Journal<Entry> {
  return new FileJournal<Entry>(folder, log);
}

type Waiting = { line: string; done(): void; failed(error: unknown): void };

class FileJournal<Entry> implements Journal<Entry> {
  readonly #folder: string;
  readonly #own: string;
  readonly #log: Log;
  readonly #folders: FolderSync;
  #lock: DataDirLock | null = null;
  /** Folders of the dead that are ours until they are acknowledged. */
  readonly #adopted = new Map<string, DataDirLock>();
  #file: Promise<FileHandle> | null = null;
  #files = 0;
  #waiting: Waiting[] = [];
  /** Told the number of the newest file, whose last line is written, once appends go to another one. */
  #turning: ((newest: number) => void)[] = [];
  #isWriting = false;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#own = join(folder, newProcessTag());
    this.#log = log;
    this.#folders = new FolderSync(folder);
  }

  append(entry: Entry): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Shuts the file behind all that was appended until now; the number of the newest one there is. */
  #turn(): Promise<number> {
    return new Promise((turned) => {
      this.#turning.push(turned);
      if (!this.#isWriting) void this.#write();
    });
  }

  /** The one that writes, for as long as there is something to write: what comes meanwhile is in its next round. */
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
      this.#file ??= this.#create();
      await appendWhole(await this.#file, batch.map(({ line }) => line).join(''));
      for (const { done } of batch) done();
    } catch (error) {
      await this.#shut();
      for (const { failed } of batch) failed(error);
    }
  }

  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#folders.ensure(this.#own);
    this.#lock ??= lockDataDir(this.#own);
    this.#files += 1;
    const handle = await open(join(this.#own, `${this.#files}${suffix}`), 'wx', 0o600);
    await this.#folders.sync(this.#own);
    return handle;
  }

  /** Appends go to another file from now on. */
  async #shut(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.then((handle) => handle.close()).catch(() => {});
  }

  async take(): Promise<Taken<Entry> | null> {
    const newest = await this.#turn();
    for (const name of await namesIn(this.#folder)) {
      const folder = join(this.#folder, name);
      if (folder === this.#own || this.#adopted.has(folder)) continue;
      const lock = lockOfTheDead(folder);
      if (lock !== null) this.#adopted.set(folder, lock);
    }
    const adopted = [...this.#adopted.keys()];
    // A file that was begun meanwhile is of another taking: it is still written.
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
    // What follows the last line's end was cut off.
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

/** Appends and fsyncs, or leaves the file as it was: what was not promised is not to be found. */
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

/** The lock of a process that is gone; null while it lives. */
function lockOfTheDead(folder: string): DataDirLock | null {
  try {
    return lockDataDir(folder);
  } catch {
    return null;
  }
}
