// Every sentence of docs/revisions.md on statistics and injuries: which rows a body gives, and which feed is heard for a row.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { playerUuid, teamUuid } from '../../../../core/msf/ids.ts';
import { readFeed } from '../../../../core/msf/states/feed-content.ts';
import { feedsOf, stateOf } from '../../../../core/msf/states/state.ts';
import type { MsfDataset, MsfFeed, Scope } from '../../../../core/msf/types.ts';
import type { InjuriesRow } from '../../../../schemas/datasets/injuries.ts';
import type { PlayerStatsRow } from '../../../../schemas/datasets/player-stats.ts';
import { gamelogGame, gameObject, log, msfTeam } from '../../../support/builders/msf-bodies.ts';

const game: Scope = { kind: 'game', uuid: 'u', id: 'NBA_X', league: 'NBA' };
const bos = teamUuid('NBA', 'BOS', 501);
const cle = teamUuid('NBA', 'CLE', 502);

type Elements = { readonly [Feed in MsfFeed]?: JsonObject };

function rowsOf<Row>(dataset: MsfDataset, elements: Elements, scope: Scope = game): readonly Row[] {
  const feeds = new Map(
    Object.entries(elements).map(([name, element]) => {
      const feed = name as MsfFeed;
      return [feed, { feed, content: readFeed(feed, scope, 900001, element), contentSince: 0 }] as const;
    }),
  );
  return stateOf(dataset, scope, feeds, []).map(({ row }) => row as Row);
}

/** `[player or team, team, stat, value]`, with the ids of the tests. */
function stats(dataset: 'player-stats' | 'team-stats', elements: Elements): readonly (readonly JsonValue[])[] {
  const names = new Map<string | null, JsonValue>([1, 2, 3].map((id) => [playerUuid('NBA', id), id]));
  names.set(bos, 'BOS').set(cle, 'CLE');
  const named = (id: string | null) => names.get(id) ?? id;
  const rows = rowsOf<PlayerStatsRow>(dataset, elements).map((row): readonly JsonValue[] => {
    assert.deepEqual([row.game_id, row.league], ['NBA_X', 'NBA']);
    const ofTeam = [named(row.team_id), row.stat, row.value];
    return dataset === 'player-stats' ? [named(row.player_id), ...ofTeam] : ofTeam;
  });
  return rows.toSorted((a, b) => String(a).localeCompare(String(b)));
}

const player = (id: JsonValue, playerStats: JsonValue): JsonObject => ({ player: { id }, playerStats });

function boxscore(away: readonly JsonValue[], home: readonly JsonValue[] = [], teams: JsonObject = {}): JsonObject {
  const side = (players: readonly JsonValue[], name: string) => ({ players, teamStats: teams[name] ?? null });
  return { game: gameObject(), scoring: {}, stats: { away: side(away, 'away'), home: side(home, 'home') } };
}

const playerLog = (id: JsonValue, given: JsonObject): JsonObject => log({ player: { id }, ...given });

describe('statistics of players', () => {
  it('are named by the members down to the number, as named', () => {
    const elements = {
      boxscore: boxscore([player(1, [{ offense: { pts: 2, 'of which': { late: 1 } }, gamesPlayed: 1 }])]),
    };
    assert.deepEqual(stats('player-stats', elements), [
      [1, 'BOS', 'gamesPlayed', 10_000],
      [1, 'BOS', 'offense.of which.late', 10_000],
      [1, 'BOS', 'offense.pts', 20_000],
    ]);
  });

  it('keep an empty name', () => {
    const elements = { boxscore: boxscore([player(1, [{ '': { pts: 2 }, pts: 3 }])]) };
    assert.deepEqual(stats('player-stats', elements), [
      [1, 'BOS', '.pts', 20_000],
      [1, 'BOS', 'pts', 30_000],
    ]);
  });

  it('are dec(12,4), half even; what is no number or does not fit gives no row', () => {
    const values = {
      a: 1.00005,
      b: 2.00015,
      c: -0,
      d: '3',
      e: null,
      f: true,
      g: 1e8,
      h: 99_999_999.9999,
      i: 0,
      j: [4],
    };
    const elements = { boxscore: boxscore([player(1, [values])]) };
    assert.deepEqual(stats('player-stats', elements), [
      [1, 'BOS', 'a', 10_000],
      [1, 'BOS', 'b', 20_002],
      [1, 'BOS', 'c', 0],
      [1, 'BOS', 'h', 999_999_999_999],
      [1, 'BOS', 'i', 0],
    ]);
  });

  it('take the objects of an array one after another, away before home, the first of equal keys', () => {
    const away = [player(1, [{ o: { pts: 1 } }, { o: { pts: 2, ast: 3 } }]), player(1, { o: { pts: 4, reb: 5 } })];
    const home = [player(1, [{ o: { pts: 6, blk: 7 } }])];
    assert.deepEqual(stats('player-stats', { boxscore: boxscore(away, home) }), [
      [1, 'BOS', 'o.ast', 30_000],
      [1, 'BOS', 'o.pts', 10_000],
      [1, 'BOS', 'o.reb', 50_000],
      [1, 'CLE', 'o.blk', 70_000],
    ]);
  });

  it('do not depend on the order of members', () => {
    const one = { a: { b: 1 }, 'a.b': 2 };
    const other = { 'a.b': 2, a: { b: 1 } };
    const elements = [one, other].map((values) => stats('player-stats', { boxscore: boxscore([player(1, [values])]) }));
    assert.deepEqual(elements[0], [[1, 'BOS', 'a.b', 10_000]]);
    assert.deepEqual(elements[1], elements[0]);
  });

  it('are not of players without an integer id', () => {
    const players = [player('1', [{ pts: 1 }]), player(1.5, [{ pts: 1 }]), { playerStats: [{ pts: 1 }] }, null, 7];
    assert.deepEqual(stats('player-stats', { boxscore: boxscore(players) }), []);
  });

  it('come from the box score first and from logs else, row by row', () => {
    const elements = {
      player_gamelogs: {
        gamelogs: [
          playerLog(1, { stats: { o: { pts: 9, ast: 3 } }, team: msfTeam(502, 'CLE') }),
          playerLog(2, { stats: { o: { pts: 4 } }, team: null }),
        ],
      },
      boxscore: boxscore([player(1, [{ o: { pts: 1, z: 8 } }])]),
    };
    assert.deepEqual(stats('player-stats', elements), [
      [1, 'BOS', 'o.pts', 10_000],
      [1, 'BOS', 'o.z', 80_000],
      [1, 'CLE', 'o.ast', 30_000],
      [2, null, 'o.pts', 40_000],
    ]);
    assert.deepEqual(feedsOf('player-stats'), ['boxscore', 'player_gamelogs']);
  });

  it('are in key order by UTF-8 bytes', () => {
    const names = ['b', '\uffff', '😀', 'a', 'é', 'Z'];
    const elements = { boxscore: boxscore([player(1, [Object.fromEntries(names.map((name) => [name, 1]))])]) };
    const order = rowsOf<PlayerStatsRow>('player-stats', elements).map((row) => row.stat);
    assert.deepEqual(order, ['Z', 'a', 'b', 'é', '\uffff', '😀']);
  });
});

describe('statistics of teams', () => {
  it('are of the two sides of a box score, which may have none', () => {
    const teams = { away: [{ o: { pts: 1 } }], home: [{ o: { pts: 2 } }, { o: { pts: 3 }, d: { blk: 4 } }] };
    assert.deepEqual(stats('team-stats', { boxscore: boxscore([], [], teams) }), [
      ['BOS', 'o.pts', 10_000],
      ['CLE', 'd.blk', 40_000],
      ['CLE', 'o.pts', 20_000],
    ]);
    assert.deepEqual(stats('team-stats', { boxscore: boxscore([]) }), []);
  });

  it('come from the box score first and from logs else; a log without a team gives none', () => {
    const elements = {
      team_gamelogs: {
        gamelogs: [
          log({ team: msfTeam(502, 'CLE'), stats: { o: { pts: 7, ast: 8 } } }),
          log({ team: null, stats: { o: { pts: 7 } } }),
          log({ team: { id: 77 }, stats: { o: { pts: 9 } } }),
        ],
      },
      boxscore: boxscore([], [], { home: [{ o: { pts: 1 } }] }),
    };
    assert.deepEqual(
      stats('team-stats', elements),
      [
        ['CLE', 'o.ast', 80_000],
        ['CLE', 'o.pts', 10_000],
        [teamUuid('NBA', null, 77), 'o.pts', 90_000],
      ].toSorted((a, b) => String(a).localeCompare(String(b))),
    );
  });

  it('are assigned by the ids of the sides where a log names them', () => {
    const sides = gamelogGame({ awayTeam: msfTeam(501, 'BOS'), homeTeam: msfTeam(502, 'CLE') });
    const elements = {
      team_gamelogs: { gamelogs: [log({ game: sides, team: { id: 502, abbreviation: 'BOS' }, stats: { n: 1 } })] },
    };
    assert.deepEqual(stats('team-stats', elements), [['CLE', 'n', 10_000]]);
  });

  it('are not of logs of players, nor the other way', () => {
    const logs = { gamelogs: [playerLog(1, { stats: { n: 1 } })] };
    assert.deepEqual(stats('team-stats', { player_gamelogs: logs }), []);
    assert.deepEqual(stats('player-stats', { team_gamelogs: logs }), []);
  });
});

describe('injuries', () => {
  const league: Scope = { kind: 'league', uuid: 'l', id: 'NBA', league: 'NBA' };
  const injured = (id: JsonValue, given: JsonObject = {}): JsonObject => ({ id, currentInjury: {}, ...given });
  const rows = (...players: readonly JsonValue[]) => rowsOf<InjuriesRow>('injuries', { injuries: { players } }, league);

  it('have the columns of players whose injury is an object', () => {
    const described = {
      firstName: 'A',
      lastName: 'B',
      primaryPosition: 'PG',
      position: 'SG',
      currentTeam: msfTeam(501, 'BOS'),
      currentInjury: { description: 'knee', playingProbability: 'OUT' },
    };
    assert.deepEqual(
      rows(injured(1, described), injured(2, { currentInjury: null }), injured(3, { currentInjury: 'x' })),
      [
        {
          league: 'NBA',
          player_id: playerUuid('NBA', 1),
          first_name: 'A',
          last_name: 'B',
          position: 'PG',
          team_id: bos,
          description: 'knee',
          playing_probability: 'OUT',
          source_updated_at: null,
        },
      ],
    );
  });

  it('have empty texts and nulls where the source has no value', () => {
    const [row] = rows(injured(1, { position: 'C', firstName: 7, currentTeam: null }));
    assert.deepEqual([row?.first_name, row?.last_name, row?.description], ['', '', '']);
    assert.deepEqual([row?.position, row?.team_id, row?.playing_probability], ['C', null, null]);
  });

  it('have one row per player, the first that is listed, in key order', () => {
    const listed = rows(
      injured(3),
      injured(1, { lastName: 'first' }),
      injured(2),
      injured(1, { lastName: 'second' }),
      injured('4'),
    );
    assert.deepEqual(
      listed.map((row) => row.player_id),
      [1, 2, 3].map((id) => playerUuid('NBA', id)).sort(),
    );
    assert.deepEqual(
      listed.filter((row) => row.last_name !== '').map((row) => row.last_name),
      ['first'],
    );
  });

  it('are of a game as of a league', () => {
    const element = { players: [injured(1)] };
    assert.deepEqual(
      rowsOf('injuries', { injuries: element }, game),
      rowsOf('injuries', { injuries: element }, league),
    );
  });
});
