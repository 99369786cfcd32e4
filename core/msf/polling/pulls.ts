// The requests that can be made to MySportsFeeds: feed, league, game or day, with their paths and costs (docs/revisions.md#poller).
// Independent of when they are made.
import { type LeagueWith, leagues, leagueTable } from '../../../schemas/reference/leagues.ts';
import { type PolledFeed, pollingOf } from './polled-feeds.ts';

export type PolledLeague = LeagueWith<'mySportsFeeds', string>;

/** The leagues that the source serves. */
export const polledLeagues = leagues.filter((league) => leagueTable[league].mySportsFeeds !== null) as PolledLeague[];

/** One request: for a game (its id at the source), for a day (`YYYYMMDD`, Eastern), or for the whole season. */
export type Pull = { league: PolledLeague; feed: PolledFeed; game: number | null; day: string | null };

/** The source's name for the season that is being played. */
export const polledSeason = 'current';

/** The subject of its stamps in `latest_updates`, without the league. */
export function subjectOf({ feed, game, day }: Pull): string {
  const of = game ?? day;
  return of === null ? feed : `${feed} ${of}`;
}

/** A unique key for each request. */
export function pullKey(pull: Pull): string {
  return `${pull.league} ${subjectOf(pull)}`;
}

/** The path below the base URL. */
export function pullPath({ league, feed, game, day }: Pull): string {
  const place = leagueTable[league].mySportsFeeds;
  if (!pollingOf(feed).isOfSeason) return `${place}/${feed}.json`;
  const within = game !== null ? `games/${game}/` : day !== null ? `date/${day}/` : '';
  return `${place}/${polledSeason}/${within}${feed}.json`;
}

/** What a request costs of the minute's budget: 1, plus the seconds that the source asks clients to wait after a heavy feed. */
export function pullWeight({ feed, game, day }: Pull): number {
  return 1 + (game === null ? pollingOf(feed).secondsAway[day === null ? 'season' : 'day'] : 0);
}
