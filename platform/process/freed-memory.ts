// Returns freed memory to the system. V8 keeps the heap pages that it has emptied; only a collection that reduces memory gives them back, and V8
// runs one by itself only when the process has been idle for seconds. A process with one large body after the other is never idle.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory of a process: its resident size, and the collection that gives back everything unused. */
export type ProcessMemory = { residentBytes(): number; collect(): void };

/** How far a process may grow above the size that the last collection left. A busy process always has some 50 MiB of young and dead objects. */
const mostGrowth = 56 * 1024 * 1024;

/**
 * Call it between two pieces of large work: it gives freed memory back if the process has grown by much since the last time. That holds the
 * event loop for a tenth of a second, so other work that is due runs first.
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

/** The memory of this process. V8 exposes its collector only to contexts that are created while the flag is set: no other code can call it. */
export function ownMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return {
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
