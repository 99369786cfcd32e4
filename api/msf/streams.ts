// The served streams of MSF data, in memory: each with its epoch, its head and its game (docs/interface.md#what-an-instance-remembers). A
// stream's version only grows, and a stream that was served never disappears.
import { leagueUuid } from '../../core/msf/ids.ts';
import type { CatalogGame, GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { MsfCatalog, ServedStream, StreamName } from '../../core/ports/catalog/msf.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Tracer } from '../../core/ports/tracer.ts';
import type { Micros } from '../../core/units.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { type Followed, openFollowed } from '../serving/followed.ts';
import { openVisibleVersions } from '../serving/visible-versions.ts';

/** `stream` null: nothing was ever published. `game` null: the stream is a league's own. */
export type FollowedStream = { readonly stream: ServedStream | null; readonly game: CatalogGame | null };
export type Streams = Followed<FollowedStream>;

const rememberedStreams = 5_000;
const leaguesOwn: ReadonlySet<string> = new Set(leagues.map(leagueUuid));

/** The name under which a stream is cached. */
export function nameOf({ scopeUuid, dataset }: StreamName): string {
  return `${scopeUuid}/${dataset}`;
}

export function openStreams(options: {
  msf: Pick<MsfCatalog, 'stream' | 'watch'>;
  games: Pick<GamesCatalog, 'find'>;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  tracer: Tracer;
  maxAge: Micros;
}): Streams {
  const { msf, games, deadlines, clock, log, maxAge } = options;
  const isNewer = (version: number, than: number) => version > than;
  const visible = openVisibleVersions(options.tracer, isNewer);
  return openFollowed<FollowedStream, FollowedStream, number>({
    subject: 'the MSF streams',
    async read(name) {
      const [scopeUuid, dataset] = name.split('/') as [string, StreamName['dataset']];
      const [stream, game] = await deadlines.catalog(() =>
        Promise.all([msf.stream({ scopeUuid, dataset }), leaguesOwn.has(scopeUuid) ? null : games.find(scopeUuid)]),
      );
      return { stream, game };
    },
    take(name, held, { stream, game }) {
      const known = held?.stream ?? null;
      if (stream !== null) visible.served(name, stream.version);
      return { stream: known !== null && (stream === null || stream.version < known.version) ? known : stream, game };
    },
    lacks: ({ stream }, version) => stream === null || stream.version < version,
    isNewer,
    watch: ({ moved, lost }) =>
      msf.watch({
        moved(notice) {
          const name = nameOf(notice);
          visible.noticed(name, notice.version, notice.traceparent, moved(name, notice.version));
        },
        lost,
      }),
    clock,
    log,
    maxAge,
    most: rememberedStreams,
  });
}
