// What is served of each game, in memory: a version of its live log, later the newest versions of its final files. It changes when the
// catalog announces it, is never older than a few seconds, and never goes back, neither from final to live nor to an older version of a
// file (docs/interface.md#what-an-instance-remembers). Independent of bytes and answers. Before a route refuses, it calls `latest`, which
// reads the catalog.
import { LRUCache } from 'lru-cache';
import type { LogSegment, LogState } from '../../core/live/log-state.ts';
import type { Artifact, ArtifactsCatalog, ServedData } from '../../core/ports/catalog/artifacts.ts';
import type { LiveCatalog, ServedLog } from '../../core/ports/catalog/live.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Tracer } from '../../core/ports/tracer.ts';
import type { Micros } from '../../core/units.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { type Followed, openFollowed } from './followed.ts';
import { openVisibleVersions } from './visible-versions.ts';

/** One committed version of a game's log. */
export type LiveVersion = {
  log: ServedLog;
  state: LogState;
  /** Unique among all games and versions. */
  key: string;
};

export type ServedGame = {
  /** Null: the game has no live data, or is final. */
  live: LiveVersion | null;
  /** Whether the final sportsbook lines have landed and replace all live data. */
  final: boolean;
  /** The first `seq` of the log that the final rows come from; null: unknown. */
  closedFrom: number | null;
  /** The newest version of each dataset that has landed. */
  artifacts: ReadonlyMap<string, Artifact>;
};

type Version = { generation: number; version: number };

/** Games by their UUID. */
export type ServedGames = Followed<ServedGame>;

const rememberedGames = 5_000;
const rememberedFinals = 50_000;

export function openServedGames(options: {
  artifacts: Pick<ArtifactsCatalog, 'served'>;
  live: Pick<LiveCatalog, 'watchServing'>;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  tracer: Tracer;
  maxAge: Micros;
  /** Called with each version that becomes the served one. */
  onServed(served: LiveVersion): void;
}): ServedGames {
  const { artifacts, live, deadlines, clock, log, maxAge } = options;
  const visible = openVisibleVersions(options.tracer, isNewer);
  /** Final lines of games seen so far; kept longer than the rest of a game. */
  const finals = new LRUCache<string, Artifact>({ max: rememberedFinals });

  function take(gameUuid: string, held: ServedGame | null, found: ServedData): ServedGame {
    const seen = finals.get(gameUuid);
    const landed = newestOf([
      ...found.artifacts,
      ...(held?.artifacts.values() ?? []),
      ...(seen === undefined ? [] : [seen]),
    ]);
    const { closedFrom } = found;
    const lines = landed.get(sportsbookLines.name);
    if (lines !== undefined) {
      finals.set(gameUuid, lines);
      return { live: null, final: true, closedFrom, artifacts: landed };
    }
    const known = held?.live ?? null;
    if (found.log === null || (known !== null && !isNewer(found.log, known.log)))
      return { live: known, final: false, closedFrom, artifacts: landed };
    const version = liveVersion(found.log);
    options.onServed(version);
    visible.served(gameUuid, found.log);
    return { live: version, final: false, closedFrom, artifacts: landed };
  }

  return openFollowed<ServedGame, ServedData, Version>({
    subject: 'what is served',
    read: (gameUuid) => deadlines.catalog(() => artifacts.served(gameUuid)),
    take,
    lacks: (held, announced) => !held.final && (held.live === null || isNewer(announced, held.live.log)),
    isNewer,
    watch: ({ moved, changed, lost }) =>
      live.watchServing({
        moved(notice) {
          const isRead = moved(notice.gameUuid, notice);
          visible.noticed(notice.gameUuid, notice, notice.traceparent, isRead);
        },
        landed: changed,
        lost,
      }),
    clock,
    log,
    maxAge,
    most: rememberedGames,
  });
}

/** The newest version of each dataset. */
function newestOf(artifacts: readonly Artifact[]): Map<string, Artifact> {
  const newest = new Map<string, Artifact>();
  for (const artifact of artifacts) {
    const other = newest.get(artifact.dataset);
    if (other === undefined || other.version < artifact.version) newest.set(artifact.dataset, artifact);
  }
  return newest;
}

function isNewer(a: Version, b: Version): boolean {
  return a.generation > b.generation || (a.generation === b.generation && a.version > b.version);
}

function liveVersion(log: ServedLog): LiveVersion {
  return {
    log,
    state: { generation: log.generation, firstSeq: log.firstSeq, segments: segmentsOf(log) },
    key: `${log.gameUuid}/${log.generation}.${log.version}`,
  };
}

function segmentsOf(log: ServedLog): readonly LogSegment[] {
  const segments: LogSegment[] = log.closed.map(({ seq, rows, min_timestamp, max_timestamp }) => ({
    seq,
    rows,
    closed: true,
    min_timestamp,
    max_timestamp,
  }));
  if (log.tail !== null) {
    const { seq, rows, min_timestamp, max_timestamp } = log.tail;
    segments.push({ seq, rows, closed: false, min_timestamp, max_timestamp });
  }
  return segments;
}
