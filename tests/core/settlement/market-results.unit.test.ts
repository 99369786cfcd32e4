// Grading by examples of our own: a row for each reason and result, and the corners that the vectors of the specification leave open.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gradeMarkets } from '../../../core/settlement/market-results.ts';
import { normalName } from '../../../core/settlement/player-names.ts';
import type { Selection } from '../../../core/settlement/selections.ts';
import { growthOf } from '../../support/processes/cost-growth.ts';
import {
  cellsOf,
  evidenceOf,
  type GradingCase,
  gameOf,
  selectionsOf,
} from '../../support/vectors/market-result-vectors.ts';

type Given = GradingCase['given'];
type Rows = Given['rows'];
type Expected = readonly (readonly [id: string, line: string | null, result: string, valueOrReason: string])[];

/** Rows as id, line, result, and the value they were graded on or the reason for none. */
function grade(given: Omit<Given, 'evidence'>, evidence: Given['evidence']): Expected | null {
  const rows = gradeMarkets(gameOf(given), selectionsOf(given), evidenceOf(evidence, given.players));
  if (rows === null) return null;
  const columns = ['selection_id', 'line', 'result', 'result_value', 'result_reason'];
  return cellsOf(rows, columns).map(([id, line, result, value, reason]) => [
    id,
    line,
    result,
    value ?? reason,
  ]) as never;
}

function whose(given: Omit<Given, 'evidence'>, evidence: Given['evidence']): unknown {
  const rows = gradeMarkets(gameOf(given), selectionsOf(given), evidenceOf(evidence, given.players));
  return rows?.map((row) => [row.player_id, row.result, row.result_reason]);
}

const bothTeams = [
  ['a', 'home', 'x.y', 1],
  ['z', 'away', 'x.y', 1],
] as const;

describe('markets on the score', () => {
  const nba = (rows: Rows, away_periods: number[], home_periods: number[], away: number, home: number) =>
    grade({ league: 'NBA', rows }, { game_state: { away, home, away_periods, home_periods } });

  it('are graded in a period by what it comes to', () => {
    const rows: Rows = [
      ['moneyline/q1/home', null],
      ['moneyline/q2/draw', null],
      ['moneyline/q2/home', null],
      ['spread/first_half/away', 2],
      ['spread/second_half/home', -0.75],
      ['team_total/q4/away_under', 9.25],
      ['total/full/over', 88],
    ];
    assert.deepEqual(nba(rows, [10, 10, 10, 9, 4], [12, 10, 10, 10, 3], 43, 45), [
      ['moneyline/q1/home', null, 'win', '2'],
      ['moneyline/q2/draw', null, 'win', '0'],
      ['moneyline/q2/home', null, 'ungraded', 'draw_quoted'],
      ['spread/first_half/away', '2', 'push', '-2'],
      ['spread/second_half/home', '-0.75', 'loss', '0'],
      ['team_total/q4/away_under', '9.25', 'half_win', '9'],
      ['total/full/over', '88', 'push', '88'],
    ]);
  });

  it('are graded in full where period scores do not add up', () => {
    const rows: Rows = [
      ['moneyline/full/away', null],
      ['moneyline/q1/away', null],
    ];
    assert.deepEqual(nba(rows, [1, 1, 1, 1], [0, 0, 0, 0], 5, 0), [
      ['moneyline/full/away', null, 'win', '5'],
      ['moneyline/q1/away', null, 'ungraded', 'no_period_scores'],
    ]);
  });

  it('of a shortened game stand where they are played out or decided', () => {
    const rows: Rows = [
      ['moneyline/full/home', null],
      ['spread/q1/home', 0],
      ['spread/q2/home', 0],
      ['total/full/over', 5.75],
      ['total/full/over', 6],
      ['total/q2/under', 1.5],
      ['total/q3/over', -1],
    ];
    assert.deepEqual(nba(rows, [1, 2], [3, 0], 3, 3), [
      ['moneyline/full/home', null, 'void', 'shortened'],
      ['spread/q1/home', '0', 'win', '2'],
      ['spread/q2/home', '0', 'void', 'shortened'],
      ['total/full/over', '5.75', 'void', 'shortened'],
      ['total/full/over', '6', 'void', 'shortened'],
      ['total/q2/under', '1.5', 'loss', '2'],
      ['total/q3/over', '-1', 'void', 'shortened'],
    ]);
  });

  it('name a winner from five innings, four and a half where home leads', () => {
    const inningsOf = (count: number) => Array.from({ length: count }, () => 0);
    const winner = (awayInnings: number, homeInnings: number, lead: number) => {
      const scores = { away: Math.max(0, -lead), home: Math.max(0, lead) };
      const [away_periods, home_periods] = [inningsOf(awayInnings), inningsOf(homeInnings)];
      [away_periods[0], home_periods[0]] = [scores.away, scores.home];
      const state = { ...scores, away_periods, home_periods };
      return grade({ league: 'MLB', rows: [['moneyline/full/home', null]] }, { game_state: state })?.[0]?.[2];
    };
    assert.deepEqual([winner(4, 4, 1), winner(5, 4, 1), winner(5, 5, 1)], ['void', 'win', 'win']);
    assert.deepEqual([winner(4, 4, -1), winner(5, 4, -1), winner(5, 5, -1)], ['void', 'void', 'loss']);
    assert.deepEqual([winner(9, 8, 1), winner(5, 4, 0), winner(6, 5, 0)], ['win', 'void', 'push']);
  });

  it('are graded in an inning only where both teams have it, but for the ninth', () => {
    const rows: Rows = [
      ['total/inning_9/under', 0.5],
      ['total/inning_10/under', 5],
      ['total/inning_010/under', 5],
    ];
    const ten = {
      away: 2,
      home: 1,
      away_periods: [1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      home_periods: [1, 0, 0, 0, 0, 0, 0, 0, 0],
    };
    assert.deepEqual(grade({ league: 'MLB', rows }, { game_state: ten }), [
      ['total/inning_010/under', '5', 'ungraded', 'no_such_period'],
      ['total/inning_10/under', '5', 'ungraded', 'no_period_scores'],
      ['total/inning_9/under', '0.5', 'win', '0'],
    ]);
  });

  it('do not look at a player in the identity', () => {
    const rows: Rows = [
      ['total/full/over/Ann Lee', 1],
      ['team_total/full/over/Ann Lee', 1],
    ];
    assert.deepEqual(nba(rows, [], [], 1, 1), [
      ['team_total/full/over/Ann Lee', '1', 'ungraded', 'unknown_selection'],
      ['total/full/over/Ann Lee', '1', 'win', '2'],
    ]);
  });
});

describe('evidence of a result', () => {
  const given = { league: 'NFL', rows: [['moneyline/full/home', null]] } as const;

  it('is a completed game-state with both scores', () => {
    assert.deepEqual(grade(given, { game_state: { away: 0, home: 3, played_status: 'COMPLETED_PENDING_REVIEW' } }), [
      ['moneyline/full/home', null, 'win', '3'],
    ]);
    for (const state of [
      { away: 0, home: 3, played_status: 'LIVE' },
      { away: null, home: 3 },
      { away: 0, home: null },
    ]) {
      assert.equal(grade(given, { game_state: state }), null);
    }
  });

  it('is no score that result_value has no room for, nor does such a number add up in a period', () => {
    assert.equal(grade(given, { game_state: { away: 0, home: 10_000_000 } }), null);
    const periods = { away_periods: [20_000_000, -20_000_000, 0, 0], home_periods: [0, 0, 0, 0] };
    assert.deepEqual(
      grade({ league: 'NFL', rows: [['moneyline/q1/home', null]] }, { game_state: { away: 0, home: 0, ...periods } }),
      [['moneyline/q1/home', null, 'ungraded', 'no_period_scores']],
    );
  });

  it('is manual first, with its own periods or none', () => {
    const state = { away: 0, home: 8, away_periods: [0, 0, 0, 0], home_periods: [2, 2, 2, 2] };
    const rows: Rows = [
      ['moneyline/full/home', null],
      ['moneyline/q1/home', null],
    ];
    const manual = { audit: '5', at: '2026-01-10T00:00:00.000000Z', score: '9-0' };
    assert.deepEqual(grade({ league: 'NBA', rows }, { manual, game_state: state }), [
      ['moneyline/full/home', null, 'loss', '-9'],
      ['moneyline/q1/home', null, 'ungraded', 'no_period_scores'],
    ]);
  });

  it('of a cancelled game makes every row void, and nothing lands without a row', () => {
    const cancelled = '2026-01-10T00:00:00.000000Z';
    assert.deepEqual(grade(given, { cancelled, game_state: { away: 0, home: 3 } }), [
      ['moneyline/full/home', null, 'void', 'cancelled'],
    ]);
    const unopened: Rows = [['moneyline/full/home', null, null, 'suspended']];
    assert.equal(grade({ league: 'NFL', rows: unopened }, { cancelled }), null);
  });
});

describe('markets on players', () => {
  const final = { away: 3, home: 7 };
  const nfl = (rows: Rows, stats: readonly (readonly [string, string, string, string | number])[]) =>
    grade({ league: 'NFL', rows }, { game_state: final, player_stats: { rows: stats } });

  it('round the value half even, and grade it as it is', () => {
    const sacks = (value: number) => [...bothTeams, ['p', 'home', 'tackles.sacks', value]] as const;
    const rows: Rows = [['player_sacks/full/over', 0.5, 'p']];
    for (const [value, result, shown] of [
      [0.5005, 'win', '0.5'],
      [0.5015, 'win', '0.502'],
      [0.5, 'push', '0.5'],
      [0.4995, 'loss', '0.5'],
      [-0.0005, 'loss', '0'],
      [-0.0015, 'loss', '-0.002'],
    ] as const) {
      assert.deepEqual(nfl(rows, sacks(value)), [['player_sacks/full/over', '0.5', result, shown]]);
    }
  });

  it('have no negative zero', () => {
    const given = { league: 'NFL', rows: [['player_sacks/full/over', 0.5, 'p']] } as const;
    const stats = { rows: [...bothTeams, ['p', 'home', 'tackles.sacks', -0.0005]] } as const;
    const rows = gradeMarkets(
      gameOf(given),
      selectionsOf(given),
      evidenceOf({ game_state: final, player_stats: stats }),
    );
    assert.ok(Object.is(rows?.[0]?.result_value, 0));
  });

  it('add what exists for a touchdown, and are not graded on what nobody has', () => {
    const rows: Rows = [
      ['player_anytime_td/full/yes', null, 'p'],
      ['player_receptions/full/over', 0.5, 'p'],
    ];
    const stats = [...bothTeams, ['p', 'home', 'rushing.rushTD', 0], ['z', 'away', 'receiving.recTD', 0]] as const;
    assert.deepEqual(nfl(rows, [...stats, ['p', 'home', 'fumbles.fumTD', 1]]), [
      ['player_anytime_td/full/yes', null, 'win', '1'],
      ['player_receptions/full/over', '0.5', 'ungraded', 'unknown_statistic'],
    ]);
  });

  it('of a team that is not known yet are ungraded, also for players without a team', () => {
    const given = { league: 'NFL', rows: [['player_sacks/full/over', 0.5, 'p']] } as const;
    const stats = { rows: [['p', 'home', 'tackles.sacks', 1]] } as const;
    const evidence = evidenceOf({ game_state: final, player_stats: stats });
    const nowhere = evidence.playerStats?.rows.map((row) => ({ ...row, teamId: null })) ?? [];
    const rows = gradeMarkets(gameOf(given), selectionsOf(given), {
      ...evidence,
      playerStats: { epoch: 'E', revision: 1, at: 0, rows: [...(evidence.playerStats?.rows ?? []), ...nowhere] },
      awayTeamId: null,
    });
    assert.deepEqual(
      rows?.map((row) => row.result_reason),
      ['no_player_statistics'],
    );
  });

  it('count innings in outs, and nothing else', () => {
    const outs = (innings: number) =>
      grade(
        { league: 'MLB', rows: [['pitcher_outs/full/over', 1, 'p']] },
        {
          game_state: final,
          player_stats: { rows: [...bothTeams, ['p', 'home', 'pitching.inningsPitched', innings]] },
        },
      )?.[0]?.slice(2);
    assert.deepEqual([0.1, 6.2, 6.3, 6.25, -0.1].map(outs), [
      ['push', '1'],
      ['win', '20'],
      ['ungraded', 'unknown_statistic'],
      ['ungraded', 'unknown_statistic'],
      ['ungraded', 'unknown_statistic'],
    ]);
  });
});

describe('players by name', () => {
  const players = [
    ['p', 'Ann', 'Lee', 'home'],
    ['q', 'Bo', 'Ray', 'away'],
    ['r', '?', '', 'home'],
  ] as const;
  const game_state = { away: 100, home: 101 };
  const stats = {
    rows: [
      ['p', 'home', 'offense.pts', 5],
      ['z', 'away', 'offense.pts', 1],
    ],
  } as const;

  it('found on a list alone are only named where the row is void', () => {
    const rows: Rows = [
      ['player_points/full/over/Bo Ray', 0.5],
      ['player_points/q1/over/Bo Ray', 0.5],
      ['x_any/full/over/Ann Lee', 0.5],
    ];
    assert.deepEqual(whose({ league: 'NBA', rows, players }, { game_state, player_stats: stats }), [
      ['q', 'void', 'did_not_play'],
      [null, 'ungraded', 'no_such_period'],
      ['p', 'ungraded', 'unknown_market'],
    ]);
    assert.deepEqual(whose({ league: 'NBA', rows: rows.slice(0, 1), players }, { game_state }), [
      [null, 'ungraded', 'no_player_statistics'],
    ]);
  });

  it('are the fourth part of an identity, where that is not the line', () => {
    const rows: Rows = [
      ['player_points/full/over/%', 1],
      ['player_points/full/over/5', 5],
      ['player_points/full/over/5/5', 5],
      ['player_points/full/over/Ann%20Lee/5', 5],
    ];
    const five = [['five', '5', '', 'home'], ...players] as const;
    const shown = { rows: [...stats.rows, ['five', 'home', 'offense.pts', 9]] } as const;
    assert.deepEqual(whose({ league: 'NBA', rows, players: five }, { game_state, player_stats: shown }), [
      [null, 'ungraded', 'unknown_player'],
      [null, 'ungraded', 'unknown_player'],
      ['five', 'win', null],
      ['p', 'push', null],
    ]);
  });

  it('compare without accents, case, punctuation and generation', () => {
    for (const [name, normal] of [
      ['Nikola  JOKIĆ', 'nikola jokic'],
      ['De’Aaron O‘N.eal-Fox', 'deaaron oneal fox'],
      ['Ｊoe Ⅳ Ⅳ', 'joe iv'],
      ['Ken Griffey, Jr.', 'ken griffey'],
      ['Ken Griffey Jr III', 'ken griffey jr'],
      ['Prince V', 'prince v'],
      ['V Jr', 'v jr'],
      ['Al I', 'al i'],
      ['B2 Ⅴ Sr', 'b2 v'],
      ['½ x_y', '1 2 x y'],
    ] as const) {
      assert.equal(normalName(name), normal, name);
    }
  });

  it('without a letter or digit are nobody', () => {
    const rows: Rows = [['player_points/full/over/.', 1]];
    assert.deepEqual(whose({ league: 'NBA', rows, players }, { game_state, player_stats: stats }), [
      [null, 'ungraded', 'unknown_player'],
    ]);
  });
});

it('grades 20,000 selections on 1,000 rows of player-stats, each for what one of 1,000 costs', () => {
  const markets = ['player_points', 'player_double_double', 'player_points_rebounds_assists', 'total', 'spread'];
  const stats = ['offense.pts', 'rebounds.reb', 'offense.ast', 'defense.stl', 'defense.blk'];
  const teamOf = (index: number) => (index % 2 === 0 ? 'home' : 'away');
  /** Grades 100 selections of each player who played, among 25 times as many known players. */
  const gradingOf = (playing: number) => {
    const selections = Array.from({ length: 100 * playing }, (_, index): Selection => {
      const market = markets[index % markets.length] as string;
      const selection = market === 'spread' ? 'home' : market === 'player_double_double' ? 'yes' : 'over';
      const line = selection === 'yes' ? null : (index % 80) * 250;
      const selectionId = `${market}/full/${selection}/First${index % playing} Last`;
      return { selectionId, market, period: 'full', selection, line, playerId: null };
    });
    const evidence = {
      ...evidenceOf({ game_state: { away: 100, home: 101 } }),
      playerStats: {
        epoch: 'E',
        revision: 1,
        at: 0,
        rows: Array.from({ length: playing }, (_, index) =>
          stats.map((stat) => ({
            playerId: `p${index}`,
            teamId: teamOf(index),
            stat,
            value: (index % 30) * 10_000,
          })),
        ).flat(),
      },
      players: Array.from({ length: 25 * playing }, (_, index) => ({
        id: `p${index}`,
        firstName: `First${index}`,
        lastName: 'Last',
        currentTeamId: teamOf(index),
      })),
    };
    return () => gradeMarkets({ gameId: 'g', league: 'NBA' }, selections, evidence) ?? [];
  };
  const gradeMany = gradingOf(200);
  assert.ok(gradeMany().filter(({ result }) => result === 'win' || result === 'loss').length > 15_000);
  const growth = growthOf(gradeMany, gradingOf(200 / 20), 20);
  assert.ok(growth < 5, `${growth} times the cost of each`);
});
