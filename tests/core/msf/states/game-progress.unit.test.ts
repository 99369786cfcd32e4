// How far a game is, by its plays and by its score (docs/revisions.md#game-state).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { teamUuid } from '../../../../core/msf/ids.ts';
import type { League } from '../../../../schemas/reference/leagues.ts';
import { gameObject, msfTeam } from '../../../support/builders/msf-bodies.ts';
import {
  boxscore,
  completed,
  games,
  live,
  playbyplay,
  rowOf,
  throwAt,
} from '../../../support/builders/msf-game-states.ts';

describe('game-state from plays', () => {
  const of = (plays: readonly JsonObject[], game: JsonObject = live, league: League = 'NBA') => {
    return rowOf([['playbyplay', playbyplay(game, plays)]], league);
  };

  it('sums points, by period from 1 to the last, 0 where none', () => {
    const row = of(
      [throwAt(1, 0), throwAt(1, 5), throwAt(3, 0), throwAt(4, 2, {})].concat({ foul: {}, playStatus: { quarter: 5 } }),
    );
    assert.deepEqual([row.home_score, row.away_score], [0, 4]);
    assert.deepEqual(
      [row.home_period_scores, row.away_period_scores],
      [
        [0, 0, 0, 0, 0],
        [2, 0, 1, 1, 0],
      ],
    );
  });

  it('has no score where a play lacks a fact, or the body is empty', () => {
    const unclear = { fieldGoalAttempt: { team: msfTeam(501, 'BOS'), result: 'SCORED' }, playStatus: { quarter: 1 } };
    for (const plays of [[throwAt(1, 0), unclear], []]) {
      const row = of(plays);
      assert.deepEqual([row.home_score, row.away_score, row.home_period_scores], [null, null, []]);
    }
  });

  it('has a score of a body of plays that scored nothing', () => {
    const row = of([{ foul: {}, playStatus: { quarter: 1 } }]);
    assert.deepEqual([row.home_score, row.away_score, row.home_period_scores], [0, 0, [0]]);
  });

  it('has no score in NHL, whatever a play says', () => {
    assert.equal(of([throwAt(1, 0)], live, 'NHL').home_score, null);
  });

  it('is where the last play was, only while its own body is LIVE', () => {
    const plays = [throwAt(1, 0), throwAt(2, 100, { teamInPossession: msfTeam(502, 'CLE'), currentDown: 1 })];
    const here = of(plays);
    assert.deepEqual([here.period, here.period_type, here.clock_seconds_remaining], [2, 'quarter', 620]);
    assert.deepEqual([here.possession_team_id, here.situation], [teamUuid('NBA', 'CLE', 502), '{"currentDown":1}']);
    assert.equal(here.intermission, null);

    const over = of(plays, completed);
    assert.deepEqual([over.period, over.clock_seconds_remaining, over.possession_team_id], [null, null, null]);
    assert.deepEqual([over.situation, over.away_score], [null, 2]);

    // Another feed says that the game is LIVE; what the body itself says decides.
    const stale = rowOf([
      ['playbyplay', playbyplay(completed, plays), 1],
      ['boxscore', boxscore(live), 2],
    ]);
    assert.deepEqual([stale.played_status, stale.period], ['LIVE', null]);
  });

  const clocks: readonly (readonly [League, number, number | null, number | null])[] = [
    ['NBA', 4, 20, 700],
    ['NBA', 4, 720, 0],
    ['NBA', 4, 721, null],
    ['NBA', 4, null, null],
    ['NBA', 5, 20, 280],
    ['NCAAM', 2, 20, 1180],
    ['NCAAM', 3, 20, 280],
    ['NFL', 4, 20, 880],
    ['NFL', 5, 20, null],
    ['NHL', 3, 20, 1180],
    ['NHL', 4, 20, null],
  ];
  for (const [league, period, elapsed, remaining] of clocks) {
    it(`leaves ${remaining} s of period ${period} of ${league} after ${elapsed}`, () => {
      assert.equal(of([throwAt(period, elapsed)], live, league).clock_seconds_remaining, remaining);
    });
  }

  it('has a situation of what the status holds beside clock, possession and players', () => {
    const more = {
      teamInPossession: null,
      awayPlayersOnCourt: [{}],
      homePlayersOnField: [],
      currentDown: 0,
      yardsRemaining: null,
      lineOfScrimmage: { yardLine: 5, team: null },
      list: [],
    };
    assert.equal(
      of([throwAt(1, 0, more)]).situation,
      '{"currentDown":0,"lineOfScrimmage":{"team":null,"yardLine":5},"list":[]}',
    );
    assert.equal(of([throwAt(1, 0, { period: 1, inning: 1, yardsRemaining: null })]).situation, null);
  });

  it('is in no body of MLB', () => {
    const inning = {
      inning: 1,
      atBatPlay: [{ hit: { team: msfTeam(501, 'BOS') }, playStatus: { inning: 1, outCount: 1 } }],
    };
    const row = rowOf([['playbyplay', { game: gameObject(live), atBats: [inning] }]], 'MLB');
    assert.deepEqual([row.period, row.situation, row.home_score, row.home_period_scores], [null, null, null, []]);
  });
});

describe('game-state from a score', () => {
  const of = (score: JsonValue, league: League = 'NBA') => {
    const row = rowOf([['games', games(live, score)]], league);
    assert.deepEqual(rowOf([['boxscore', boxscore(live, score)]], league), row);
    return row;
  };

  for (const [part, league, type] of [
    ['Quarter', 'NFL', 'quarter'],
    ['Period', 'NHL', 'period'],
    ['Inning', 'MLB', 'inning'],
  ] as const) {
    it(`is of a ${part} in ${league}`, () => {
      const list = [
        { [`${part.toLowerCase()}Number`]: 2, awayScore: 3, homeScore: 4, awayShots: null },
        { [`${part.toLowerCase()}Number`]: 1, awayScore: 1, homeScore: 2 },
        { [`${part.toLowerCase()}Number`]: 3, awayScore: 5, homeScore: null },
        { [`${part.toLowerCase()}Number`]: null, awayScore: 5, homeScore: 6 },
      ];
      const row = of(
        {
          [`current${part}`]: 2,
          [`current${part}SecondsRemaining`]: 33,
          currentIntermission: 1,
          teamInPossession: msfTeam(502, 'CLE'),
          awayScoreTotal: 4,
          homeScoreTotal: 6,
          [`${part.toLowerCase()}s`]: list,
        },
        league,
      );
      assert.deepEqual([row.period, row.period_type, row.clock_seconds_remaining, row.intermission], [2, type, 33, 1]);
      assert.deepEqual([row.home_score, row.away_score], [6, 4]);
      assert.deepEqual(
        [row.home_period_scores, row.away_period_scores],
        [
          [2, 4],
          [1, 3, 5],
        ],
      );
      assert.equal(row.possession_team_id, row.home_team_id);
      assert.equal(row.situation, null);
    });
  }

  it('has all other members for its situation, their insides as they are', () => {
    const score = {
      currentDown: 3,
      awayShotsTotal: 25,
      playStatus: { batter: null, ballCount: 2 },
      currentInningHalf: null,
      more: 1.0,
    };
    assert.equal(
      of(score).situation,
      '{"awayShotsTotal":25,"currentDown":3,"more":1,"playStatus":{"ballCount":2,"batter":null}}',
    );
  });

  it('is null where it is no object, or has values that do not fit', () => {
    for (const score of [
      null,
      7,
      [],
      'x',
      {},
      { currentQuarter: '1', homeScoreTotal: 1.5, awayScoreTotal: 2 ** 31, quarters: {} },
    ]) {
      const row = of(score);
      assert.deepEqual([row.period, row.home_score, row.away_score, row.home_period_scores], [null, null, null, []]);
    }
  });

  it('names a team of another game by its own id', () => {
    assert.equal(of({ teamInPossession: msfTeam(7, 'LAL') }).possession_team_id, teamUuid('NBA', 'LAL', 7));
    assert.equal(of({ teamInPossession: 'LAL' }).possession_team_id, null);
  });

  it('is overtime beyond the regular periods, never in MLB', () => {
    const types = (league: League) =>
      [1, 2, 3, 4, 5, 12].map((period) => of({ currentQuarter: period }, league).period_type);
    const [q, o, h, p, i] = ['quarter', 'overtime', 'half', 'period', 'inning'];
    assert.deepEqual(types('NBA'), [q, q, q, q, o, o]);
    assert.deepEqual(types('NFL'), [q, q, q, q, o, o]);
    assert.deepEqual(types('NHL'), [p, p, p, o, o, o]);
    assert.deepEqual(types('NCAAM'), [h, h, o, o, o, o]);
    assert.deepEqual(types('MLB'), [i, i, i, i, i, i]);
  });
});
