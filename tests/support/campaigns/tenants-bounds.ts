// What a campaign of tenants costs the service: the peak memory of each program, the size of objects and of tables.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './program.ts';
import type { World } from './world.ts';

const mebibyte = 1_048_576;

export type MemoryWatch = {
  /** The peak of each program in MiB. */
  most: Record<string, number>;
  stop(): Promise<void>;
};

/** Samples the programs' memory four times a second. */
export function watchMemory(programs: readonly Program[]): MemoryWatch {
  const stopped = new AbortController();
  const most: Record<string, number> = {};
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      for (const { name, pid, running } of programs)
        if (running) most[name] = Math.max(most[name] ?? 0, residentOf(pid));
      await delay(250, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return {
    most,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}

function residentOf(pid: number): number {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

export type Kept = { objects: number; objectsMb: number; tablesMb: number; gamesKept: number; letters: number };

/** The size of what is stored at the end. */
export async function keptOf({ api, sql }: World): Promise<Kept> {
  let [objects, bytes] = [0, 0];
  for await (const { size } of api.drivers.objects.list('')) {
    objects += 1;
    bytes += size;
  }
  const { rows } = await sql.query(`select pg_database_size(current_database()) as size,
    (select count(*) from games) as games, (select count(*) from dead_letters) as letters`);
  const [row = {}] = rows;
  return {
    objects,
    objectsMb: Math.round(bytes / mebibyte),
    tablesMb: Math.round(Number(row.size) / mebibyte),
    gamesKept: Number(row.games),
    letters: Number(row.letters),
  };
}
