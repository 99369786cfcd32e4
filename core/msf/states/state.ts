// The states of a scope: pure functions of the newest applied observation of each feed, never of the order in which feeds arrived
// (docs/revisions.md#feeds-and-datasets). Independent of revisions, which are the differences of two states.
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { type InjuriesRow, injuries } from '../../../schemas/datasets/injuries.ts';
import { type PlayerStatsRow, playerStats } from '../../../schemas/datasets/player-stats.ts';
import { type PlaysRow, plays } from '../../../schemas/datasets/plays.ts';
import { type TeamStatsRow, teamStats } from '../../../schemas/datasets/team-stats.ts';
import type { DatasetState, MsfDataset, MsfFeed, Scope } from '../types.ts';
import type { FeedContent } from './feed-content.ts';
import { type AppliedFeeds, gameStateFeeds, gameStateRow } from './game-state.ts';
import { periodType } from './periods.ts';
import type { Play } from './reuse-plays.ts';
import { type RowBlock, reuseRows } from './reuse-rows.ts';
import { byOwner, type StatEntry, statRows } from './statistics.ts';

/** A dataset: its columns, the feeds it is made from (in order of precedence), and its rows in key order. */
type Source = {
  readonly dataset: Dataset;
  readonly feeds: readonly MsfFeed[];
  readonly rows: (scope: Scope, feeds: AppliedFeeds) => readonly RowBlock[];
};

const playerFeeds = ['boxscore', 'player_gamelogs'] as const;
const teamFeeds = ['boxscore', 'team_gamelogs'] as const;

/** docs/revisions.md#feeds-and-datasets. */
const sources: { readonly [Name in MsfDataset]: Source } = {
  'game-state': { dataset: gameState, feeds: gameStateFeeds, rows: gameStateRows },
  plays: { dataset: plays, feeds: ['playbyplay'], rows: playsRows },
  'player-stats': { dataset: playerStats, feeds: playerFeeds, rows: playerStatsRows },
  'team-stats': { dataset: teamStats, feeds: teamFeeds, rows: teamStatsRows },
  injuries: { dataset: injuries, feeds: ['injuries'], rows: injuriesRows },
};

/** The feeds that a dataset is made from. */
export function feedsOf(dataset: MsfDataset): readonly MsfFeed[] {
  return sources[dataset].feeds;
}

/** The dataset's state in key order. Equal rows of `before` are reused with their lines. Returns `before` itself if nothing changed. */
export function stateOf(dataset: MsfDataset, scope: Scope, feeds: AppliedFeeds, before: DatasetState): DatasetState {
  const source = sources[dataset];
  return reuseRows(source.dataset, source.rows(scope, feeds), before);
}

function gameStateRows(scope: Scope, feeds: AppliedFeeds): readonly RowBlock[] {
  const row = gameStateRow(scope, feeds);
  return row === null ? [] : [[row]];
}

/** The rows made from a play, and from a player's statistics: a reused play or entry keeps its rows. */
const rowsOfPlays = new WeakMap<Play, PlaysRow>();
const rowsOfEntries = new WeakMap<StatEntry, RowBlock>();

function playsRows(scope: Scope, feeds: AppliedFeeds): readonly RowBlock[] {
  return contentOf(feeds, 'playbyplay').map((content) => content.plays.map((play) => playsRow(scope, play)));
}

/** A play belongs to one scope, but the scope's public id changes when its game is minted. */
function playsRow({ id, league }: Scope, play: Play): PlaysRow {
  const known = rowsOfPlays.get(play);
  if (known?.game_id === id) return known;
  const row = { game_id: id, league, ...play, period_type: periodType(league, play.period) };
  rowsOfPlays.set(play, row);
  return row;
}

function playerStatsRows(scope: Scope, feeds: AppliedFeeds): readonly RowBlock[] {
  const entries = playerFeeds.flatMap((feed) => contentOf(feeds, feed)).flatMap((content) => content.playerStats);
  return byOwner(entries).map(([entry, ...more]) =>
    more.length === 0 ? rowsOfEntry(scope, entry) : playerRows(scope, [entry, ...more]),
  );
}

function rowsOfEntry(scope: Scope, entry: StatEntry): RowBlock {
  const known = rowsOfEntries.get(entry);
  if (known?.[0]?.game_id === scope.id) return known;
  const rows = playerRows(scope, [entry]);
  rowsOfEntries.set(entry, rows);
  return rows;
}

function playerRows({ id, league }: Scope, entries: readonly StatEntry[]): PlayerStatsRow[] {
  return statRows(entries).map(({ of, team, stat, value }) => {
    return { game_id: id, league, player_id: of, team_id: team, stat, value };
  });
}

function teamStatsRows({ id, league }: Scope, feeds: AppliedFeeds): readonly RowBlock[] {
  const entries = teamFeeds.flatMap((feed) => contentOf(feeds, feed)).flatMap((content) => content.teamStats);
  return byOwner(entries).map((ofTeam) =>
    statRows(ofTeam).map(({ of, stat, value }): TeamStatsRow => ({ game_id: id, league, team_id: of, stat, value })),
  );
}

function injuriesRows({ league }: Scope, feeds: AppliedFeeds): readonly RowBlock[] {
  return contentOf(feeds, 'injuries').map((content) =>
    content.injuries.map((player): InjuriesRow => ({ league, ...player, source_updated_at: null })),
  );
}

/** The feed's content, as a list of one; empty if nothing of the feed was applied. */
function contentOf(feeds: AppliedFeeds, feed: MsfFeed): readonly FeedContent[] {
  const applied = feeds.get(feed);
  return applied === undefined ? [] : [applied.content];
}
