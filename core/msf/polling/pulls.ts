// What can be asked of MySportsFeeds: which feed, of which league, game or day, where it is found and what asking costs
// (docs/revisions.md#poller). Unaware of when anything is asked.
import { type LeagueWith, leagues, leagueTable } from '../../../schemas/reference/leagues.ts';
import { type PolledFeed, pollingOf } from './polled-feeds.ts';

export type PolledLeague = LeagueWith<'mySportsFeeds', string>;

/** The leagues that the source serves. */
export const polledLeagues = leagues.filter((league) => leagueTable[league].mySportsFeeds !== null) as PolledLeague[];

/** One thing to ask: of a game (its id at the source), of a day (`YYYYMMDD`, Eastern), or of the whole season. */
export type Pull = { league: PolledLeague; feed: PolledFeed; game: number | null; day: string | null };

/** The season that is asked for by this name is whichever is being played. */
export const polledSeason = 'current';

/** Under which name the stamps of `latest_updates` speak of it: without the league. */
export function subjectOf({ feed, game, day }: Pull): string {
  const of = game ?? day;
  return of === null ? feed : `${feed} ${of}`;
}

/** A name of its own for each thing that can be asked. */
export function pullKey(pull: Pull): string {
  return `${pull.league} ${subjectOf(pull)}`;
}

/** Below the base URL. */
export function pullPath({ league, feed, game, day }: Pull): string {
  const place = leagueTable[league].mySportsFeeds;
  if (!pollingOf(feed).isOfSeason) return `${place}/${feed}.json`;
  const within = game !== null ? `games/${game}/` : day !== null ? `date/${day}/` : '';
  return `${place}/${polledSeason}/${within}${feed}.json`;
}

/** What a request costs of the minute's budget: 1 and the seconds that the source asks to stay away from a heavy feed. */
export function pullWeight({ feed, game, day }: Pull): number {
  return 1 + (game === null ? pollingOf(feed).secondsAway[day === null ? 'season' : 'day'] : 0);
}
