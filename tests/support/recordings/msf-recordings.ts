// The recorded MySportsFeeds bodies in ../shared/data: real and complete ones, and two shortened by hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../../core/json/value.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import type { League } from '../../../schemas/reference/leagues.ts';

const folder = new URL('../../../../shared/data/', import.meta.url);
const folders = ['msf-nba-2017', 'msf-nfl-2024', 'msf-excerpts'];

/** Why there are no recordings here; false if there are. */
export const msfRecordingsAbsent = folders.every((name) => existsSync(new URL(`${name}/`, folder)))
  ? false
  : `../shared/data/${folders.join(', ')}: not all are here`;

export type MsfRecording = { name: string; league: League; feed: MsfFeed; body: JsonObject };

const feeds: readonly (readonly [part: string, feed: MsfFeed])[] = [
  ['playbyplay_', 'playbyplay'],
  ['lineup_', 'lineup'],
  ['daily_team_gamelogs_', 'team_gamelogs'],
  ['odds_', 'odds_gamelines'],
  ['seasonal_games_', 'games'],
  ['daily_games_', 'games'],
  ['boxscore_', 'boxscore'],
];

let read: MsfRecording[] | undefined;

/** Recordings of the feeds that the service accepts; empty if they are absent. Read once. */
export function msfRecordings(): readonly MsfRecording[] {
  if (msfRecordingsAbsent !== false) return [];
  read ??= msfFiles().flatMap(({ name, body }) => {
    const feed = feeds.find(([part]) => name.includes(part))?.[1];
    return feed === undefined ? [] : [{ name, league: msfLeagueOf(name), feed, body }];
  });
  return read;
}

/** All files in order of their names, other feeds included. */
export function msfFiles(): { name: string; body: JsonObject }[] {
  return folders.flatMap((each) => {
    const inside = new URL(`${each}/`, folder);
    return readdirSync(inside)
      .sort()
      .map((file) => ({
        name: `${each}/${file}`,
        body: JSON.parse(gunzipSync(readFileSync(new URL(file, inside))).toString('utf8')) as JsonObject,
      }));
  });
}

/** The league of a file, from its name. */
export function msfLeagueOf(name: string): League {
  if (name.includes('nba')) return 'NBA';
  return name.includes('nhl') ? 'NHL' : 'NFL';
}
