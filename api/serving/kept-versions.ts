// Earlier versions of segments: the file with the rows that a URL promised, after the segment has grown. Versions that this instance served
// are remembered for a shorter time than their objects are kept, so that listing and then fetching while the tail grows costs no query
// (docs/interface.md#segment).
import { LRUCache } from 'lru-cache';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import type { Micros } from '../../core/units.ts';
import { microsPerMinute, microsPerSecond } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import type { LiveVersion } from './served-games.ts';

type KeptVersion = { rows: number; file: FileRef };

export type KeptVersions = {
  /** Remembers the tail of a version that is served now. */
  remember(served: LiveVersion): void;
  /** The kept version of segment `seq` with `rows` rows, otherwise the smallest with more; null: the catalog keeps none. */
  find(served: LiveVersion, seq: number, rows: number): KeptVersion | null | Promise<KeptVersion | null>;
};

/** Superseded tails are kept for at least 10 minutes. */
const rememberServed: Micros = 5 * microsPerMinute;
const rememberFound: Micros = 5 * microsPerSecond;
const rememberedVersions = 50_000;

export function openKeptVersions(options: {
  live: Pick<LiveCatalog, 'tailVersion'>;
  deadlines: Deadlines;
  clock: Clock;
}): KeptVersions {
  const { live, deadlines, clock } = options;
  const known = new LRUCache<string, { version: KeptVersion; since: Micros; until: Micros }>({
    max: rememberedVersions,
  });

  function keep(served: LiveVersion, seq: number, rows: number, version: KeptVersion, micros: Micros): void {
    const since = clock.now();
    known.set(nameOf(served, seq, rows), { version, since, until: since + micros });
  }

  async function ask(served: LiveVersion, seq: number, rows: number): Promise<KeptVersion | null> {
    const { gameUuid, generation } = served.log;
    const version = await deadlines.catalog(() => live.tailVersion(gameUuid, generation, seq, rows));
    if (version !== null) keep(served, seq, rows, version, rememberFound);
    return version;
  }

  return {
    remember(served) {
      const { tail } = served.log;
      if (tail !== null) keep(served, tail.seq, tail.rows, { rows: tail.rows, file: tail.file }, rememberServed);
    },
    find(served, seq, rows) {
      const held = known.get(nameOf(served, seq, rows));
      const now = clock.now();
      if (held !== undefined && held.since <= now && now < held.until) return held.version;
      return ask(served, seq, rows);
    },
  };
}

function nameOf(served: LiveVersion, seq: number, rows: number): string {
  return `${served.log.gameUuid}/${served.log.generation}/${seq}/${rows}`;
}
