// The feeds of MySportsFeeds that the service takes. A new feed is a module beside this file and an entry in the list; the gateway, the
// fold, the poller and the documents read everything from there.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { MsfFeed } from '../types.ts';
import { boxscore } from './boxscore.ts';
import type { FeedDescriptor, GameParts } from './feed.ts';
import { games } from './games.ts';
import { injuries } from './injuries.ts';
import { lineup } from './lineup.ts';
import { oddsGamelines } from './odds-gamelines.ts';
import { playbyplay } from './playbyplay.ts';
import { playerGamelogs } from './player-gamelogs.ts';
import { players } from './players.ts';
import { teamGamelogs } from './team-gamelogs.ts';

/** Among equally due feeds, the poller requests the first in this list first. */
export const feeds = [
  games,
  lineup,
  playbyplay,
  boxscore,
  players,
  injuries,
  oddsGamelines,
  playerGamelogs,
  teamGamelogs,
] as const;

/** The names of all feeds (docs/operations.md#msf-bodies-route). */
export const msfFeeds: readonly MsfFeed[] = feeds.map(({ name }) => name);

const byName: ReadonlyMap<string, FeedDescriptor> = new Map(feeds.map((feed) => [feed.name, feed]));

export function descriptorOf(feed: MsfFeed): FeedDescriptor {
  return byName.get(feed) as FeedDescriptor;
}

/** The feed with this name; null if there is none. */
export function feedNamed(name: string): MsfFeed | null {
  return msfFeeds.find((feed) => feed === name) ?? null;
}

/** The lists that distinguish a feed's bodies from those of others, by their paths (docs/revisions.md#missing-lists). */
export function listsOf(feed: MsfFeed, league: League): readonly (readonly string[])[] {
  const { form } = descriptorOf(feed);
  return form.kind === 'game' ? form.lists(league) : [[form.list]];
}

/** Whether a feed's observations are about games, or about leagues (docs/revisions.md#observations). Game lines are about neither. */
export function isOf(kind: 'game' | 'league', feed: MsfFeed): boolean {
  const { form } = descriptorOf(feed);
  switch (form.kind) {
    case 'game':
    case 'entries':
      return kind === 'game';
    case 'league':
      return kind === 'league' || form.ofGames !== null;
    case 'game-lines':
      return false;
  }
}

/** How game elements are derived from the league's; null if they are not. */
export function gamePartsOf(feed: MsfFeed): GameParts | null {
  const { form } = descriptorOf(feed);
  return form.kind === 'league' ? form.ofGames : null;
}
