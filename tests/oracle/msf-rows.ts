// The rows of MSF datasets by docs/revisions.md#feeds-and-datasets and docs/revisions.md#columns alone: each is a line
// of canonical values in column order. Every rule is applied anew to every row; nothing is kept, and nothing of the
// product is imported.
import { uuid5 } from './games.ts';
import { gameState } from './msf-game-state.ts';
import { playsOf } from './msf-plays.ts';
import {
  at,
  byBytes,
  canonical,
  dec124,
  id,
  isObject,
  list,
  type OracleFeed,
  type OracleGame,
  type Row,
  sidesOf,
  teamId,
  text,
  type Value,
} from './msf-values.ts';

/** The lines of a dataset in key order. */
export function lines(game: OracleGame, dataset: string, feeds: readonly OracleFeed[]): string[] {
  const said = (name: string): OracleFeed | undefined => feeds.find(({ feed }) => feed === name);
  const rows: Row[] = [];
  if (dataset === 'game-state') rows.push(...gameState(game, feeds));
  if (dataset === 'plays') rows.push(...(playsOf(game, said('playbyplay')) ?? []).map(({ row }) => row));
  if (dataset === 'player-stats') rows.push(...playerStats(game, said('boxscore'), said('player_gamelogs')));
  if (dataset === 'team-stats') rows.push(...teamStats(game, said('boxscore'), said('team_gamelogs')));
  if (dataset === 'injuries') rows.push(...injuriesOf(game, said('injuries')));
  const ordered = dataset === 'plays' ? rows.sort((a, b) => byBytes(String(a[2]), String(b[2]))) : rows;
  return ordered.map(canonical);
}

type Stat = { owner: string; team: string | null; stat: string; value: string };

function stats(owner: string | null, team: string | null, value: Value, path: string[] = []): Stat[] {
  if (owner === null) return [];
  if (Array.isArray(value)) return value.filter(isObject).flatMap((each) => stats(owner, team, each, path));
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .flatMap((name): Stat[] => {
      const number = dec124(value[name]);
      if (number !== null) return [{ owner, team, stat: [...path, name].join('.'), value: number }];
      return stats(owner, team, value[name], [...path, name]);
    });
}

/** "The first of equal keys counts", in key order. */
function firsts(all: readonly Stat[]): Stat[] {
  const kept = all.filter(
    (each, index) => all.findIndex((other) => other.owner === each.owner && other.stat === each.stat) === index,
  );
  return kept.sort((a, b) => byBytes(a.owner, b.owner) || byBytes(a.stat, b.stat));
}

const playerId = (game: OracleGame, value: Value): string | null => {
  const number = id(at(value, 'id'));
  return number === null ? null : uuid5(`msf/player/${game.league}/${number}`);
};

function playerStats(game: OracleGame, boxscore: OracleFeed | undefined, logs: OracleFeed | undefined): Row[] {
  const ofBox = ['away', 'home'].flatMap((side) => {
    const sides = sidesOf(at(boxscore?.element, 'game'));
    const of = teamId(game, sides, at(at(boxscore?.element, 'game'), `${side}Team`));
    return list(at(boxscore?.element, 'stats', side, 'players')).flatMap((entry) =>
      stats(playerId(game, at(entry, 'player')), of, at(entry, 'playerStats')),
    );
  });
  const sides = sidesOf(at(logs?.element, 'gamelogs', 0, 'game'));
  const ofLogs = list(at(logs?.element, 'gamelogs')).flatMap((entry) =>
    stats(playerId(game, at(entry, 'player')), teamId(game, sides, at(entry, 'team')), at(entry, 'stats')),
  );
  return firsts([...ofBox, ...ofLogs]).map(({ owner, team: of, stat, value }) => [
    game.id,
    game.league,
    owner,
    of,
    stat,
    value,
  ]);
}

function teamStats(game: OracleGame, boxscore: OracleFeed | undefined, logs: OracleFeed | undefined): Row[] {
  const ofBox = ['away', 'home'].flatMap((side) => {
    const of = teamId(game, sidesOf(at(boxscore?.element, 'game')), at(boxscore?.element, 'game', `${side}Team`));
    return stats(of, null, at(boxscore?.element, 'stats', side, 'teamStats'));
  });
  const sides = sidesOf(at(logs?.element, 'gamelogs', 0, 'game'));
  const ofLogs = list(at(logs?.element, 'gamelogs')).flatMap((entry) =>
    stats(teamId(game, sides, at(entry, 'team')), null, at(entry, 'stats')),
  );
  return firsts([...ofBox, ...ofLogs]).map(({ owner, stat, value }) => [game.id, game.league, owner, stat, value]);
}

function injuriesOf(game: OracleGame, feed: OracleFeed | undefined): Row[] {
  const rows = new Map<string, Row>();
  for (const player of list(at(feed?.element, 'players'))) {
    const injury = at(player, 'currentInjury');
    const owner = playerId(game, player);
    if (!isObject(injury) || owner === null || rows.has(owner)) continue;
    rows.set(owner, [
      game.league,
      owner,
      text(at(player, 'firstName')) ?? '',
      text(at(player, 'lastName')) ?? '',
      text(at(player, 'primaryPosition')) ?? text(at(player, 'position')),
      teamId(game, null, at(player, 'currentTeam')),
      text(at(injury, 'description')) ?? '',
      text(at(injury, 'playingProbability')),
      null,
    ]);
  }
  return [...rows].sort(([a], [b]) => byBytes(a, b)).map(([, row]) => row);
}
