// Returns freed memory to the system. V8 keeps heap pages that it has emptied; only a memory-reducing collection returns them, and V8 runs
// one by itself only after seconds of idleness. A process that handles one large body after another is never idle.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory of a process: its resident size, and a collection that returns everything unused. */
export type ProcessMemory = { residentBytes(): number; collect(): void };

const mebibyte = 1024 * 1024;

/**
 * How far a process may grow above its size after the last collection, in bytes. Alone, what earlier bodies have left and the next one
 * together stay within the bound of docs/operations.md#memory-of-the-gateway. A collection blocks the process for a fifth of a second, and
 * only the sender of large bodies may suffer from that. So while other keys push as well, the process may grow further; V8 itself, whose
 * collections are short, rarely lets it.
 */
const growth = { alone: 40 * mebibyte, amongKeys: 384 * mebibyte } as const;

/**
 * Call it between two pieces of large work: it returns freed memory if the process has grown a lot since the last time. This blocks the
 * event loop, so other work that is due runs first. `isAlone`: no other key has pushed lately.
 */
export function returningFreed(memory: ProcessMemory): (isAlone: boolean) => Promise<void> {
  let least = memory.residentBytes();
  return async (isAlone) => {
    await turn();
    const resident = memory.residentBytes();
    least = Math.min(least, resident);
    if (resident - least <= (isAlone ? growth.alone : growth.amongKeys)) return;
    memory.collect();
    least = memory.residentBytes();
  };
}

/** The memory of this process. V8 exposes its collector only to contexts created while the flag is set, so no other code can call it. */
export function ownMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return {
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
