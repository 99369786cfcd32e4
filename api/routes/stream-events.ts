// A stream of events about games that change (docs/interface.md#events). Events are heads, never rows.
import type { HistoryWindow } from '../../core/access/history-window.ts';
import type { Tier } from '../../core/ports/catalog/keys.ts';
import { isRefusal, type Refusal, refuse } from '../../http/refusal.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { datasetsParameter, gamesParameter, leagueParameter } from '../../schemas/http/parameters.ts';
import type { HistoryWindows } from '../access/history-windows.ts';
import { refusalOfDate, windowInWords } from '../access/window-in-words.ts';
import type { EventStreams } from '../events/event-streams.ts';
import { eventDatasets } from '../events/game-heads.ts';
import { represent } from '../http/answer.ts';
import { cachePolicies } from '../http/caching.ts';
import type { MsfReads } from '../msf/reads.ts';
import { route } from '../pipeline/route.ts';
import type { GameDirectory } from '../serving/game-directory.ts';

type Needs = {
  directory: Pick<GameDirectory, 'remembered' | 'record'>;
  history: Pick<HistoryWindows, 'window'>;
  events: EventStreams;
  msf: MsfReads | null;
};

export const streamEvents = route({
  path: '/v1/events',
  id: 'streamEvents',
  tag: 'Live lines',
  summary: 'New data of many games, as a stream of events.',
  details:
    'Server-sent events, free of charge. `head`: a dataset of a game has new data (`cursor`; for quotes also `rows` and `board_version`, for the others `stream_epoch` and `revision`). `reset`: earlier cursors are no longer valid. `final`: the path of the final file. Every stream starts with all heads, and each head is absolute, so nothing is lost between two streams and `Last-Event-ID` is not needed. If a game changes several times before the client reads, it gets one event. Games outside the history window of the tier are refused. A comment comes every 15 seconds; after 5 to 10 minutes the stream ends: open it again.',
  key: 'required',
  game: 'none',
  query: {
    games: gamesParameter.optional(),
    league: leagueParameter.optional(),
    datasets: datasetsParameter.optional(),
  },
  answers: {
    200: 'text/event-stream',
    403: ['history-restricted'],
    404: ['not-found'],
    503: ['temporarily-unavailable'],
  },
  charge: 'free',
  cache: 'never',

  check({ games, league, datasets }, { msf }: Needs) {
    if ((games === undefined) === (league === undefined)) return 'games or league is required, one of them';
    const served = msf === null ? [sportsbookLines.name] : eventDatasets;
    const unknown = datasets?.find((name) => !(served as readonly string[]).includes(name));
    return unknown === undefined ? null : `datasets takes names of ${served.join(', ')}, separated by commas`;
  },

  async handle({ key, query, keyHolds, whenGone }, { directory, history, events, msf }: Needs) {
    const place = events.place(key.id);
    if (isRefusal(place)) return place;
    whenGone(place.leave);
    const league = query.league ?? null;
    const window = await history.window(key.tier);
    if (league !== null && window.kind === 'month') return outsideOf(key.tier, window);
    const uuids = await uuidsOf(query.games ?? [], directory, (date) => refusalOfDate(key.tier, window, date));
    if (isRefusal(uuids)) return uuids;
    const games = league === null ? await events.heads.games(uuids) : null;
    if (league !== null) await events.heads.league(league);
    const served = msf === null ? [sportsbookLines.name] : eventDatasets;
    const datasets = served.filter((name) => query.datasets?.includes(name) ?? true);
    return represent({
      etag: null,
      size: 0,
      mediaType: 'text/event-stream',
      cacheControl: cachePolicies.never,
      keyed: true,
      rows: null,
      isStream: true,
      // Buffering proxies would hold back single events.
      headers: ['X-Accel-Buffering', 'no'],
      body: () => place.open({ games, league, datasets, keyHolds }),
    });
  },
});

/** A league's stream has the games of these days, which a window of days always includes, and a window of one month never does. */
function outsideOf(tier: Tier, window: HistoryWindow): Refusal {
  const detail = `The stream of a league has the games of these days; tier ${tier} reads ${windowInWords(window)}.`;
  return refuse('history-restricted', { detail });
}

/** The games of these ids, each once; or the refusal of an unknown one, or of one that `judge` refuses by its date. */
async function uuidsOf(
  ids: readonly string[],
  directory: Needs['directory'],
  judge: (gameDate: string) => Refusal | null,
) {
  const uuids = new Set<string>();
  for (const id of ids) {
    const game = directory.remembered(id) ?? (await directory.record(id));
    if (game === null) return refuse('not-found', { title: 'Game not found', detail: `There is no game '${id}'.` });
    const refusal = judge(game.gameDate);
    if (refusal !== null) return refusal;
    uuids.add(game.uuid);
  }
  return [...uuids];
}
