// States from bodies, without a log: each body is split, and the newest element of each scope and feed is applied.
// Newest is decided by the short rule (request start, else receive time; then order of arrival), which is all that
// states depend on.

import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import { gameUuid, leagueUuid } from '../../../core/msf/ids.ts';
import { type AppliedFeed, readFeed } from '../../../core/msf/states/feed-content.ts';
import { stateOf } from '../../../core/msf/states/state.ts';
import type { DatasetState, MsfDataset, MsfFeed, Scope } from '../../../core/msf/types.ts';
import { easternDate } from '../../../core/time/eastern-date.ts';
import type { Micros } from '../../../core/units.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { sourceRevision, splitBody } from './in-one-go.ts';

export type StatePush = { league: League; feed: MsfFeed; game?: string | null; at: Micros; body: JsonValue };

type Applied = AppliedFeed & { at: Micros; revision: string };

/** The applied feeds of one scope. */
export type ScopeFeeds = { scope: Scope; feeds: Map<MsfFeed, Applied> };

export class PureStates {
  readonly scopes = new Map<string, ScopeFeeds>();

  push({ league, feed, game = null, at, body }: StatePush): void {
    for (const { msfGameId, game: named, element } of splitBody({ league, feed, game, body }).observations) {
      const uuid = msfGameId === null ? leagueUuid(league) : gameUuid(league, msfGameId);
      const known = this.scopes.get(uuid) ?? { scope: scopeOf(uuid, league, msfGameId, named), feeds: new Map() };
      this.scopes.set(uuid, known);
      apply(known, feed, msfGameId, element, at);
    }
  }

  /** The state of a dataset; empty if its scope is unknown. */
  state(dataset: MsfDataset, scopeId: string): DatasetState {
    const known = [...this.scopes.values()].find(({ scope }) => scope.id === scopeId);
    return known === undefined ? [] : stateOf(dataset, known.scope, known.feeds, []);
  }
}

/** The state as plain values in column order. */
export function plainRows(state: DatasetState): unknown[] {
  return state.map(({ line }) => JSON.parse(line) as unknown);
}

function apply({ scope, feeds }: ScopeFeeds, feed: MsfFeed, gameId: number | null, element: JsonObject, at: Micros) {
  const newest = feeds.get(feed);
  if (newest !== undefined && at < newest.at) return;
  const revision = sourceRevision(element);
  if (newest?.revision === revision) feeds.set(feed, { ...newest, at });
  else {
    const content = readFeed(feed, scope, gameId, element, newest?.content ?? null);
    feeds.set(feed, { feed, content, contentSince: at, at, revision });
  }
}

type Named = ReturnType<typeof splitBody>['observations'][number]['game'];

function scopeOf(uuid: string, league: League, msfGameId: number | null, game: Named): Scope {
  if (msfGameId === null) return { kind: 'league', uuid, id: league, league };
  const teams = `${game?.away.abbreviation}_${game?.home.abbreviation}`;
  const date = easternDate(game?.startTime ?? 0).replaceAll('-', '');
  return { kind: 'game', uuid, id: `${league}_${teams}_${date}`, league };
}
