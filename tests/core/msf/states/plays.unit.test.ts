// What a play is called, where it stands, who is in it (docs/revisions.md#plays).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { playerUuid } from '../../../../core/msf/ids.ts';
import { BodyIds } from '../../../../core/msf/states/body-ids.ts';
import { readFeed } from '../../../../core/msf/states/feed-content.ts';
import { Occurrences, type PlayFacts, playIdOf, playName } from '../../../../core/msf/states/play-identity.ts';
import { readPlays } from '../../../../core/msf/states/plays.ts';
import type { Play } from '../../../../core/msf/states/reuse-plays.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { gameObject, msfTeam, play } from '../../../support/builders/msf-bodies.ts';

const away = { id: 501, abbreviation: 'BOS' };
const home = { id: 502, abbreviation: 'CLE' };

function playsOf(plays: readonly JsonValue[], league: League = 'NBA'): readonly Play[] {
  const element = league === 'MLB' ? { atBats: plays } : { plays };
  return readPlays(new BodyIds(league, { away, home }), 900001, element).map((read) => read.play);
}

function one(given: JsonObject, league: League = 'NBA'): Play {
  const [read, ...others] = playsOf([{ playStatus: { quarter: 1, secondsElapsed: 5 }, ...given }], league);
  assert.deepEqual(others, []);
  return read as Play;
}

const at = (quarter: number, secondsElapsed: number | null) => play({ quarter, secondsElapsed });

describe('the sequence of plays', () => {
  it('is period, second and ordinal', () => {
    const plays = playsOf([at(1, 0), at(1, 7), at(1, 7), at(2, 7), at(5, 299)]);
    assert.deepEqual(
      plays.map(({ sequence }) => sequence),
      [100_000_000, 100_007_000, 100_007_001, 200_007_000, 500_299_000],
    );
  });

  it('counts the plays of a second in body order, also where the second comes again', () => {
    const plays = playsOf([at(1, 7), at(1, 9), at(1, 7)]);
    assert.deepEqual(
      plays.map(({ sequence }) => sequence),
      [100_007_000, 100_009_000, 100_007_001],
    );
  });

  it('takes the second of the play before in the same period where a play has none, 0 where it is the first', () => {
    const plays = playsOf([at(2, 30), at(3, null), at(2, null), at(2, null), at(2, 31)]);
    assert.deepEqual(
      plays.map((each) => [each.sequence, each.clock_seconds_elapsed]),
      [
        [200_030_000, 30],
        [300_000_000, null],
        [200_030_001, null],
        [200_030_002, null],
        [200_031_000, 31],
      ],
    );
  });
});

describe('the identity of plays', () => {
  const facts = {
    league: 'NBA',
    gameId: 1,
    period: 1,
    second: 5,
    action: 'foul',
    players: [71],
    description: 'd',
  } as const;
  const idOf = (more: Partial<PlayFacts> = {}, occurrence = 0) => playIdOf(playName({ ...facts, ...more }), occurrence);

  it('is p_ and 26 letters of lower-case base32', () => {
    assert.match(idOf(), /^p_[a-z2-7]{26}$/);
  });

  it('differs by each of its facts', () => {
    const others = [
      { league: 'NCAAM' },
      { gameId: 2 },
      { period: 2 },
      { second: 6 },
      { second: null },
      { action: 'foul2' },
      { players: [] },
      { players: [71, 72] },
      { description: '' },
    ] as const;
    const ids = others.map((other) => idOf(other));
    assert.equal(new Set([idOf(), ...ids]).size, others.length + 1);
  });

  it('counts only plays that are equal in all other facts', () => {
    const occurrences = new Occurrences();
    const [name, other] = [playName(facts), playName({ ...facts, second: 6 })];
    assert.deepEqual(
      [name, other, name, name].map((each) => occurrences.next(each)),
      [0, 0, 1, 2],
    );
    assert.notEqual(idOf({}, 1), idOf());
  });

  it('ignores members of a play other than its words, its players and its action', () => {
    const plain = one({ description: 'd', foul: { type: 'a' } });
    assert.equal(one({ description: 'd', foul: { type: 'b', more: [1] } }).play_id, plain.play_id);
    assert.notEqual(one({ description: 'e', foul: { type: 'a' } }).play_id, plain.play_id);
  });

  it('takes a description of null for an empty one', () => {
    assert.equal(one({ description: null, foul: {} }).play_id, one({ description: '', foul: {} }).play_id);
    assert.equal(one({ foul: {} }).description, '');
  });
});

describe('the type of a play', () => {
  const table: readonly (readonly [string, JsonObject, string])[] = [
    ['is its action', { foul: {} }, 'foul'],
    ['as named, known or not', { 'Über-Aktion ': null }, 'Über-Aktion '],
    ['the first of several by RFC 8785', { b: {}, é: {}, B: {} }, 'B'],
    ['by UTF-16 units', { '\uff5e': {}, '😀': {} }, '😀'],
    ['empty without one', { description: 'd' }, ''],
  ];
  for (const [name, given, type] of table) it(name, () => assert.equal(one(given).play_type, type));
});

describe('the players of a play', () => {
  const ids = (...players: number[]) => players.map((id) => playerUuid('NBA', id));
  const table: readonly (readonly [string, JsonObject, readonly number[]])[] = [
    [
      'are those of members that end in Player',
      { shootingPlayer: { id: 3 }, Player: { id: 2 }, player: { id: 1 } },
      [1, 2, 3],
    ],
    ['with digits behind it', { assistedTacklingPlayer1: { id: 11 }, player22: { id: 5 } }, [5, 11]],
    [
      'and no other names',
      { players: { id: 1 }, playerOf: { id: 2 }, playe: { id: 3 }, PLAYER: { id: 4 }, player1a: { id: 5 } },
      [],
    ],
    ['at any depth, in lists too', { a: [{ b: { cPlayer: { id: 9 } } }, [{ player: { id: 8 } }]] }, [8, 9]],
    ['inside of a player', { player: { id: 9, otherPlayer: { id: 1 } } }, [1, 9]],
    [
      'ascending as numbers, each once',
      { aPlayer: { id: 100 }, bPlayer: { id: 9 }, cPlayer: { id: 9 }, dPlayer: { id: 71 } },
      [9, 71, 100],
    ],
    [
      'with integers for ids',
      { aPlayer: { id: '1' }, bPlayer: { id: 1.5 }, cPlayer: {}, dPlayer: { id: 2.0 }, player: null },
      [2],
    ],
  ];
  for (const [name, action, expected] of table) {
    it(name, () => assert.deepEqual(one({ foul: action }).player_ids, ids(...expected)));
  }

  it('exclude the players of its status', () => {
    const status = { quarter: 1, secondsElapsed: 5, awayPlayersOnCourt: [{ player: { id: 7 } }] };
    assert.deepEqual(one({ foul: {}, playStatus: status }).player_ids, []);
  });
});

describe('the team of a play', () => {
  const ids = new BodyIds('NFL', { away, home });
  const table: readonly (readonly [string, JsonValue, string | null])[] = [
    ['is the action’s', { team: msfTeam(501, 'BOS'), kickingTeam: msfTeam(502, 'CLE') }, ids.away],
    ['else the kicking one', { team: null, kickingTeam: msfTeam(502, 'CLE') }, ids.home],
    ['else the penalised one', { penalty: { team: msfTeam(502, 'CLE') } }, ids.home],
    ['else none', { wonBy: 'HOME' }, null],
    ['else none', null, null],
    ['the one credited where points are set', { team: msfTeam(501, 'BOS'), isSafety: true }, ids.home],
  ];
  for (const [name, action, team] of table) it(name, () => assert.equal(one({ rush: action }, 'NFL').team_id, team));
});

describe('the detail of a play', () => {
  it('is the play without its description, canonical, nulls kept', () => {
    const source = {
      playStatus: { secondsElapsed: 5, quarter: 1 },
      description: 'd',
      foul: { b: null, a: [1.0, null] },
    };
    assert.equal(one(source).detail, '{"foul":{"a":[1,null],"b":null},"playStatus":{"quarter":1,"secondsElapsed":5}}');
  });
});

describe('plays of NHL', () => {
  it('have a period', () => {
    const [read] = playsOf([{ description: 'g', goal: {}, playStatus: { period: 3, secondsElapsed: 12 } }], 'NHL');
    assert.deepEqual([read?.period, read?.sequence, read?.points], [3, 300_012_000, null]);
  });
});

describe('plays of MLB', () => {
  const battingTeam = msfTeam(501, 'BOS');
  const atBat = (inning: number, ...atBatPlay: JsonObject[]) => ({ inning, inningHalf: 'TOP', battingTeam, atBatPlay });
  const pitch = { description: 'Ball', pitch: { pitchingPlayer: { id: 4 } } };
  const hit = { description: 'Single', hit: {} };
  const plays = playsOf([atBat(1, pitch, pitch, hit), atBat(1), atBat(1, hit), atBat(2, hit)], 'MLB');

  it('stand by the index of their at-bat within the inning', () => {
    assert.deepEqual(
      plays.map(({ sequence }) => sequence),
      [100_000_000, 100_000_001, 100_000_002, 100_002_000, 200_000_000],
    );
  });

  it('have the index in their identity, and no clock', () => {
    const named = {
      league: 'MLB',
      gameId: 900001,
      period: 1,
      action: 'hit',
      players: [],
      description: 'Single',
    } as const;
    assert.equal(plays[3]?.play_id, playIdOf(playName({ ...named, second: 2 }), 0));
    assert.deepEqual(
      plays.map((each) => each.clock_seconds_elapsed),
      [null, null, null, null, null],
    );
  });

  it('are the batting team’s where the action names none', () => {
    assert.equal(plays[0]?.team_id, new BodyIds('MLB', { away, home }).away);
  });

  it('are kept unchanged', () => {
    assert.equal(plays[0]?.detail, '{"pitch":{"pitchingPlayer":{"id":4}}}');
  });
});

describe('plays that were held before', () => {
  const scope = { kind: 'game', uuid: 'u', id: 'NBA_BOS_CLE_20260109', league: 'NBA' } as const;
  const body = (seconds: readonly number[]) =>
    JSON.parse(JSON.stringify({ game: gameObject(), plays: seconds.map((second) => at(1, second)) })) as JsonObject;

  it('are held once, and do not change the rows', () => {
    const before = readFeed('playbyplay', scope, 900001, body([1, 2, 3, 5, 8]));
    const after = readFeed('playbyplay', scope, 900001, body([1, 2, 4, 5, 8, 9]), before);
    assert.deepEqual(after, readFeed('playbyplay', scope, 900001, body([1, 2, 4, 5, 8, 9])));
    const held = after.plays.filter((each) => before.plays.includes(each));
    assert.deepEqual(held.map((each) => each.clock_seconds_elapsed).sort(), [1, 2, 5, 8]);
  });
});
