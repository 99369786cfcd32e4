// Memory that is freed and not given back. V8 keeps the pages of its heap that it has emptied, and returns them to the system only by a collection
// that is to reduce memory: of its own accord it makes one when the process has rested for seconds. Large work, one piece behind the other, never
// lets it rest.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory of a process: what of it is resident, and the collection that gives back all that nothing uses. */
export type ProcessMemory = { residentBytes(): number; collect(): void };

/** How far a process may grow above what a collection has left. One that works has some 50 MiB of young and of dead objects all the time. */
const mostGrowth = 56 * 1024 * 1024;

/**
 * To be called between two pieces of large work: gives back what is freed, once the process has grown by much since this was done last. That
 * holds the loop for the tenth of a second, so it waits until what is due has had its turn.
 */
export function returningFreed(memory: ProcessMemory): () => Promise<void> {
  let least = memory.residentBytes();
  return async () => {
    await turn();
    const resident = memory.residentBytes();
    least = Math.min(least, resident);
    if (resident - least <= mostGrowth) return;
    memory.collect();
    least = memory.residentBytes();
  };
}

/** The memory of this process. V8 gives its collector to contexts that are made while it is exposed; the rest of the process gets none. */
export function ownMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return {
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
