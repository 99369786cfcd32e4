// What the routes are made of, opened once and closed together. Each member says what it owns in its own file.
import type { Pepper } from '../core/access/key-format.ts';
import type { GamesCatalog } from '../core/ports/catalog/games.ts';
import type { KeysCatalog } from '../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../core/ports/catalog/live.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ObjectStore } from '../core/ports/object-store.ts';
import type { Log } from '../core/ports/telemetry.ts';
import { type Edge, openEdge } from './edge.ts';
import { openFiles } from './files.ts';
import { GameDirectory } from './game-directory.ts';
import { type KeptVersions, openKeptVersions } from './kept-versions.ts';
import { KeyRing } from './key-ring.ts';
import type { ApiLimits } from './limits.ts';
import { chargesNothing, type Metering } from './metering.ts';
import { type PageCursors, pageCursors } from './page-cursor.ts';
import type { Site } from './problems.ts';
import { openReach, type Reach } from './reach.ts';
import { openServing, type Serving } from './serving.ts';

export type ApiDependencies = {
  games: Pick<GamesCatalog, 'find' | 'list'>;
  live: Pick<LiveCatalog, 'servedLog' | 'tailVersion' | 'watchServing'>;
  keys: Pick<KeysCatalog, 'apiKeyByMac'>;
  objects: Pick<ObjectStore, 'get'>;
  clock: Clock;
  log: Log;
  /** `{base_url}` of problem types and links; null: the address it listens on. */
  baseUrl: string | null;
  /** What else does not go as it should, by what those know who run this process. */
  degraded?: () => readonly string[];
  /** Newest first; at least one. */
  peppers: readonly Pepper[];
  limits?: Partial<ApiLimits>;
};

export type Services = {
  site: Site;
  limits: ApiLimits;
  log: Log;
  reach: Reach;
  /** What does not go as it should now. */
  degraded(): readonly string[];
  keys: KeyRing;
  directory: GameDirectory;
  games: Pick<GamesCatalog, 'list'>;
  serving: Serving;
  kept: KeptVersions;
  edge: Edge;
  pageCursors: PageCursors;
  metering: Metering;
  close(): Promise<void>;
};

export function openServices(dependencies: ApiDependencies, limits: ApiLimits): Services {
  const { games, live, keys, objects, clock, log, peppers } = dependencies;
  const reach = openReach(clock, log, { catalog: limits.catalogDeadlineMs, objects: limits.objectsDeadlineMs });
  const files = openFiles({
    objects,
    reach,
    log,
    memoryBytes: limits.fileMemoryBytes,
    largestKept: limits.largestKeptFile,
  });
  const kept = openKeptVersions({ live, reach, clock });
  const serving = openServing({
    live,
    reach,
    clock,
    log,
    maxAge: limits.servingAge,
    onServed: (served) => kept.remember(served),
  });
  return {
    site: { baseUrl: dependencies.baseUrl ?? '' },
    limits,
    log,
    reach,
    degraded: () => [...reach.degraded(), ...(dependencies.degraded?.() ?? [])],
    keys: new KeyRing({ keys, reach, clock, log, peppers, limits }),
    directory: new GameDirectory(games, reach, clock, limits.servingAge),
    games,
    serving,
    kept,
    edge: openEdge({ files, memoryBytes: limits.answerMemoryBytes }),
    pageCursors: pageCursors(peppers),
    metering: chargesNothing,
    close: () => serving.close(),
  };
}
