// Makes folders and the links in them durable. A link is durable once its folder has been fsynced afterwards. Concurrent puts share fsyncs:
// a put that arrives during one waits for the next, which covers all waiting puts.
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export class FolderSync {
  readonly #base: string;
  /** Folders that are durable, or being created. */
  readonly #made = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** `base`: a folder above all others, which is durable already. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Creates `folder` and its parents, durably, for this user alone. */
  ensure(folder: string): Promise<void> {
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    const making = this.#make(folder);
    this.#made.set(folder, making);
    making.catch(() => this.forget());
    return making;
  }

  /** A folder has vanished, perhaps with its parents: forget all, so that `ensure` creates them again. */
  forget(): void {
    this.#made.clear();
  }

  /** Resolves when every link made in `folder` before the call is durable. */
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder);
    if (running === undefined) return this.#start(folder);
    const next = this.#next.get(folder);
    if (next !== undefined) return next;
    const start = () => {
      this.#next.delete(folder);
      return this.#start(folder);
    };
    const queued = running.then(start, start);
    this.#next.set(folder, queued);
    return queued;
  }

  #start(folder: string): Promise<void> {
    const running = fsyncFolder(folder).finally(() => {
      if (this.#running.get(folder) === running) this.#running.delete(folder);
    });
    this.#running.set(folder, running);
    return running;
  }

  async #make(folder: string): Promise<void> {
    if (folder === this.#base) return;
    await this.ensure(dirname(folder));
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let parent = dirname(folder); ; parent = dirname(parent)) {
      await this.sync(parent);
      if (parent === dirname(first)) return;
    }
  }
}

async function fsyncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
