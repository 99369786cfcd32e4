// Deletes what is no longer needed: objects without a current reference (superseded tails and boards after the grace, boards of settled games,
// orphans of attempts that never committed), revisions past their retention, receipts and idempotency keys after 24 hours, the use of feed keys
// after 35 days, and dead letters past their retention. Never touches an object that a manifest of the last ten minutes named (I7). Deletes the
// object first and its catalog entry afterwards: after a kill in between, it finds the same keys again.
import type { DeadLetterRetention } from '../../core/limits/dead-letter-retention.ts';
import type { DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { FeedUseCatalog } from '../../core/ports/catalog/feed-use.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfRetention } from '../../core/ports/catalog/msf.ts';
import type { ObjectsCatalog } from '../../core/ports/catalog/objects.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Micros, type Millis, microsPerHour, microsPerMinute } from '../../core/units.ts';
import { longestFlush } from '../worker/partition-tools.ts';

type CollectorTools = {
  pushes: Pick<PushCatalog, 'expire'>;
  feedUse: Pick<FeedUseCatalog, 'expire'>;
  msf: MsfRetention;
  letters: Pick<DeadLettersCatalog, 'forget'>;
  lettersKept: DeadLetterRetention;
  catalog: ObjectsCatalog;
  live: Pick<LiveCatalog, 'now'>;
  objects: ObjectStore;
  clock: Clock;
  crash: CrashPoints;
  log: Log;
  /** Left out: nothing is measured. */
  meter?: Meter;
};

type ObjectCollector = Pick<CollectorTools, 'catalog' | 'live' | 'objects' | 'crash'>;

/** How long a superseded file stays readable, and how old an unknown object must be to count as an orphan. */
export const defaultGrace = { superseded: 11 * microsPerMinute, orphan: 2 * longestFlush };

const everyMs: Millis = 60_000;
const batch = 500;
/**
 * The folders of the projectors' files and of dead letters' payloads: only there may an unknown object be deleted. Elements that records refer to
 * are elsewhere: the log needs them as long as it holds the records, which is for ever.
 */
const folders = ['flushes/', 'states/', 'segments/', 'finals/', 'letters/'];

/** Collects once a minute until stopped. */
export function startCollector(tools: CollectorTools, grace = defaultGrace): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    for (let round = 0; ; round += 1) {
      await tools.clock.sleep(everyMs, stopped.signal);
      for (const [name, work] of stepsOf(round, tools, grace, stopped.signal)) {
        if (stopped.signal.aborted) return;
        await tried(tools, name, work);
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

type Work = () => Promise<unknown>;

/** What this round does, by name. Work that may take long ends early once `stopped` aborts: the projectors of the process stop after it. */
function stepsOf(
  round: number,
  tools: CollectorTools,
  grace: typeof defaultGrace,
  stopped: AbortSignal,
): readonly (readonly [string, Work])[] {
  const { catalog, pushes, feedUse, msf } = tools;
  const tenth = (at: number, name: string, work: Work) => (round % 10 === at ? [[name, work] as const] : []);
  return [
    ['superseded', () => collectSuperseded(tools, grace.superseded, stopped)],
    ...tenth(0, 'orphans', () => collectOrphans(tools, grace.orphan, stopped)),
    ...tenth(3, 'settled boards', () => catalog.releaseSettledBoards()),
    ...tenth(5, 'pushes', () => pushes.expire()),
    ...tenth(6, 'use of feed keys', () => feedUse.expire()),
    ...tenth(7, 'revisions', () => msf.forgetRevisions()),
    ...(round % 60 === 8 ? [['dead letters', () => collectDeadLetters(tools)] as const] : []),
  ];
}

/** One step of a round; the other steps run even if it fails. */
async function tried({ log }: CollectorTools, step: string, work: Work): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('collection put off', { step, outage: error instanceof CatalogUnavailable, error: reason });
  }
}

/** Removes the dead letters beyond their retention. Returns how many. */
async function collectDeadLetters({
  letters,
  lettersKept,
  live,
  log,
  meter = noMeter,
}: CollectorTools): Promise<number> {
  const before = Math.max(0, (await live.now()) - lettersKept.days * 24 * microsPerHour);
  const dropped = await letters.forget({ before, bytes: lettersKept.bytes });
  meter.add('sds_dead_letters_dropped_total', {}, dropped);
  if (dropped > 0) log.warn('dead letters were dropped', { letters: dropped, ...lettersKept });
  return dropped;
}

/** Removes objects all of whose files were superseded more than `grace` ago, until `stopped` aborts. Returns how many. */
export async function collectSuperseded(tools: ObjectCollector, grace: Micros, stopped?: AbortSignal): Promise<number> {
  const before = (await tools.live.now()) - grace;
  let collected = 0;
  while (stopped?.aborted !== true) {
    const keys = await tools.catalog.collectable(before, batch);
    if (keys.length === 0) break;
    tools.crash('collector:before-delete');
    await tools.objects.delete(keys);
    await tools.catalog.forgetObjects(keys);
    collected += keys.length;
  }
  return collected;
}

/** Removes objects older than `grace` that no commit ever named, until `stopped` aborts. Returns how many. */
export async function collectOrphans(tools: ObjectCollector, grace: Micros, stopped?: AbortSignal): Promise<number> {
  const before = (await tools.live.now()) - grace;
  let collected = 0;
  for (const folder of folders) {
    let old: string[] = [];
    const judge = async (): Promise<void> => {
      const known = await tools.catalog.knownObjects(old);
      const orphans = old.filter((key) => !known.has(key));
      await tools.objects.delete(orphans);
      collected += orphans.length;
      old = [];
    };
    for await (const object of tools.objects.list(folder)) {
      if (stopped?.aborted === true) return collected;
      if (object.modifiedAt < before) old.push(object.key);
      if (old.length === batch) await judge();
    }
    if (old.length > 0) await judge();
  }
  return collected;
}
