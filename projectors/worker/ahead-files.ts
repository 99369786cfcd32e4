// The files that a partition has written ahead of the flush that will publish them. No commit names them until then, and the collector deletes such
// objects once they are old enough (`longestFlush`). Where the flush is far off, because the log is long, they are put again under other names,
// from their own bytes: so what the commit names is young, however long the work takes. The copies before are orphans like those of an owner that
// died. Rows and states do not depend on it, so neither does folding again.
import { Halted } from '../../core/ports/broker.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FileRef, ObjectStore } from '../../core/ports/object-store.ts';
import type { Micros } from '../../core/units.ts';
import { committedBytes } from './committed-bytes.ts';
import { Fenced, longestFlush } from './partition-tools.ts';
import { keyOfCopy, type WrittenObjects } from './write-files.ts';

/** How long a file waits until it is put again: the flush behind it has as long again. */
const longestWait: Micros = longestFlush / 2;

/** `began`: when it may have been put. `name`: its key without what tells its copies apart. */
type AheadObject = WrittenObjects['objects'][number] & { began: Micros; name: string; copies: number };

type Tools = { objects: Pick<ObjectStore, 'put' | 'get'>; clock: Pick<Clock, 'now'> };

export class AheadFiles {
  #held: AheadObject[] = [];

  /** What the next commit has to name. */
  get objects(): WrittenObjects['objects'] {
    return this.#held.map(({ key, size, files }) => ({ key, size, files }));
  }

  /** When the first may have been put, or `otherwise`, if there is none. */
  began(otherwise: Micros): Micros {
    return this.#held.reduce((first, { began }) => Math.min(first, began), otherwise);
  }

  /** These were written since `began`. */
  add(objects: WrittenObjects['objects'], began: Micros): void {
    for (const object of objects) this.#held.push({ ...object, began, name: object.key, copies: 0 });
  }

  forget(): void {
    this.#held = [];
  }

  /** Whether some wait so long that they must be put again. */
  areOld(now: Micros): boolean {
    return now - this.began(now) > longestWait;
  }

  /**
   * Puts those of `files` again that wait too long, and answers where all of them are now. Each is an object of its own.
   * @throws Fenced where one may be gone already
   */
  async renew({ objects, clock }: Tools, files: readonly FileRef[]): Promise<readonly FileRef[]> {
    const heldByKey = new Map(this.#held.map((held) => [held.key, held]));
    const renewed: FileRef[] = [];
    for (const file of files) {
      const held = heldByKey.get(file.key);
      const began = clock.now();
      if (held === undefined || began - held.began <= longestWait) {
        renewed.push(file);
        continue;
      }
      if (began - held.began > longestFlush)
        throw new Fenced(`${file.key} waits too long for its flush, it may be gone`);
      const bytes = await committedBytes(objects, file).catch((error: unknown) => {
        // It is not committed: another owner writes it anew.
        throw error instanceof Halted ? new Fenced(`${file.key} is not as it was written`, { cause: error }) : error;
      });
      held.copies += 1;
      const key = keyOfCopy(held.name, held.copies);
      await objects.put(key, bytes);
      [held.key, held.began] = [key, began];
      renewed.push({ ...file, key });
    }
    return renewed;
  }
}
