// The game-state row of invented bodies: what each feed says, and when its content was first requested.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import { readFeed } from '../../../core/msf/states/feed-content.ts';
import { type AppliedFeeds, gameStateRow } from '../../../core/msf/states/game-state.ts';
import type { MsfFeed, Scope } from '../../../core/msf/types.ts';
import type { GameStateRow } from '../../../schemas/datasets/game-state.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { gameObject, msfTeam } from './msf-bodies.ts';

export const scopeOf = (league: League): Scope => ({ kind: 'game', uuid: 'u', id: `${league}_X`, league });

export type FeedContentAt = readonly [feed: MsfFeed, element: JsonObject, since?: number];

/** The feeds in the applied state. */
export function feedsOf(said: readonly FeedContentAt[], league: League = 'NBA'): AppliedFeeds {
  const applied = said.map(([feed, element, since = 0]) => {
    const content = readFeed(feed, scopeOf(league), 900001, element);
    return [feed, { feed, content, contentSince: since }] as const;
  });
  return new Map(applied);
}

/** The row they give; fails if they give none. */
export function rowOf(said: readonly FeedContentAt[], league: League = 'NBA'): GameStateRow {
  const row = gameStateRow(scopeOf(league), feedsOf(said, league));
  assert.ok(row !== null);
  return row;
}

export const games = (schedule: JsonObject, score: JsonValue = null): JsonObject => ({
  games: [{ schedule: gameObject(schedule), score }],
});
export const boxscore = (game: JsonObject, scoring: JsonValue = null): JsonObject => ({
  game: gameObject(game),
  scoring,
});
export const playbyplay = (game: JsonObject, plays: readonly JsonObject[]): JsonObject => ({
  game: gameObject(game),
  plays,
});

export const live = { playedStatus: 'LIVE' };
export const completed = { playedStatus: 'COMPLETED' };

/** A free throw of the away side at a second of a period, with further members of its status. */
export const throwAt = (quarter: number, secondsElapsed: number | null, more: JsonObject = {}): JsonObject => ({
  description: 'free throw',
  freeThrowAttempt: { team: msfTeam(501, 'BOS'), result: 'SCORED' },
  playStatus: { quarter, secondsElapsed, ...more },
});
