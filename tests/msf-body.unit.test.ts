// How bodies are split into observations, and that each thing that makes one `bad-body` is named by its pointer (msf.md, Observations and
// Mapping). What a body is refused for, an element that a record brings is refused for as well.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../core/json/value.ts';
import { elementRefusal, type MsfBody, type SplitBody, splitBody } from '../core/msf/body.ts';
import { type MsfFeed, msfFeeds } from '../core/msf/types.ts';
import { parseRfc3339 } from '../core/time/rfc3339.ts';
import type { League } from '../core/units.ts';
import { bodyOf, gamelogGame, gameObject, msfTeam, play } from './support/msf-bodies.ts';

function split(feed: MsfFeed, body: JsonValue, given: Partial<MsfBody> = {}): SplitBody {
  return splitBody({ league: 'NBA', feed, game: null, body, ...given });
}

/** A player's or a team's log. */
const log = (given: JsonObject = {}) => ({
  game: gamelogGame(),
  team: msfTeam(501, 'BOS'),
  stats: { offense: { pts: 2 } },
  ...given,
});
const player = { id: 71, firstName: 'F71', lastName: 'L71' };
const stats = { away: { players: [] }, home: { players: [] } };

/** A whole body of each feed of a game. */
const whole: { [Feed in MsfFeed]: JsonObject } = {
  games: { games: [{ schedule: gameObject(), score: {} }] },
  boxscore: { game: gameObject(), scoring: {}, stats },
  playbyplay: { game: gameObject(), plays: [play({ quarter: 1, secondsElapsed: 0 })] },
  lineup: { game: gameObject(), teamLineups: [] },
  player_gamelogs: { gamelogs: [log({ player })] },
  team_gamelogs: { gamelogs: [log()] },
  injuries: { players: [] },
  players: { players: [] },
  odds_gamelines: { gameLines: [] },
};

describe('a whole body', () => {
  for (const feed of msfFeeds) {
    it(`of ${feed} is refused nothing`, () => assert.deepEqual(split(feed, bodyOf(whole[feed])).refusals, []));
  }
  for (const feed of ['games', 'boxscore', 'playbyplay', 'lineup'] as const) {
    it(`of ${feed} is an observation of its game, which it names whole`, () => {
      const { observations } = split(feed, bodyOf(whole[feed]));
      const startTime = parseRfc3339('2026-01-10T00:30:00.000Z')!;
      const sides = { away: { id: 501, abbreviation: 'BOS' }, home: { id: 502, abbreviation: 'CLE' } };
      const game = { id: 900001, startTime, ...sides, fromSchedule: true };
      assert.deepEqual(observations, [{ msfGameId: 900001, game, element: whole[feed] }]);
    });
  }
  for (const feed of ['player_gamelogs', 'team_gamelogs'] as const) {
    it(`of ${feed} names its game by the sides' abbreviations`, () => {
      const [observation] = split(feed, bodyOf(whole[feed])).observations;
      assert.deepEqual(observation?.game?.away, { id: null, abbreviation: 'BOS' });
      assert.deepEqual(observation?.game?.home, { id: null, abbreviation: 'CLE' });
      assert.equal(observation?.game?.fromSchedule, false);
      assert.deepEqual(observation?.element, whole[feed]);
    });
  }
  for (const feed of ['injuries', 'players'] as const) {
    it(`of ${feed} is an observation of the league`, () => {
      assert.deepEqual(split(feed, bodyOf(whole[feed])).observations, [
        { msfGameId: null, game: null, element: whole[feed] },
      ]);
    });
  }
  it('of odds_gamelines goes the way of quotes', () => {
    assert.deepEqual(split('odds_gamelines', bodyOf(whole.odds_gamelines)).observations, []);
  });
  it('keeps what it has beside its list', () => {
    const body = { ...whole.games, extra: { references: 1 } };
    assert.deepEqual(split('games', bodyOf(body)).observations[0]?.element, body);
  });
});

describe('a body of several games', () => {
  const entry = (id: JsonValue, number: number) => ({ schedule: gameObject({ id }), score: { number } });

  it('is one observation for each, of its own entries in their order', () => {
    const { observations, refusals } = split('games', bodyOf({ games: [entry(2, 0), entry(1, 1), entry(2, 2)] }));
    assert.deepEqual(
      observations.map(({ msfGameId, element }) => [msfGameId, element]),
      [
        [2, { games: [entry(2, 0), entry(2, 2)] }],
        [1, { games: [entry(1, 1)] }],
      ],
    );
    assert.deepEqual(refusals, []);
  });
  it('loses a bad entry alone', () => {
    const { observations, refusals } = split(
      'games',
      bodyOf({ games: [entry('x', 0), entry(1, 1), null, entry(2.5, 3)] }),
    );
    assert.deepEqual(
      observations.map(({ msfGameId }) => msfGameId),
      [1],
    );
    assert.deepEqual(
      refusals.map(({ pointer }) => pointer),
      ['/games/0/schedule/id', '/games/2/schedule/id', '/games/3/schedule/id'],
    );
  });
  it('of gamelogs likewise', () => {
    const logs = [
      log(),
      log({ game: gamelogGame({ id: 2 }) }),
      log({ stats: [] }),
      log({ game: gamelogGame({ startTime: '' }) }),
    ];
    const { observations, refusals } = split('team_gamelogs', bodyOf({ gamelogs: logs }));
    assert.deepEqual(
      observations.map(({ msfGameId, element }) => [msfGameId, element]),
      [
        [900001, { gamelogs: [logs[0]] }],
        [2, { gamelogs: [logs[1]] }],
      ],
    );
    assert.deepEqual(
      refusals.map(({ pointer }) => pointer),
      ['/gamelogs/2/stats', '/gamelogs/3/game/startTime'],
    );
  });
  it('is not narrowed by the game of the route', () => {
    const { observations } = split('games', bodyOf({ games: [entry(2, 0)] }), { game: '900001' });
    assert.equal(observations[0]?.msfGameId, 2);
  });
});

describe('an empty list', () => {
  for (const [feed, list] of [
    ['games', 'games'],
    ['player_gamelogs', 'gamelogs'],
    ['team_gamelogs', 'gamelogs'],
  ] as const) {
    it(`of ${feed} is evidence of the game that the route names by number`, () => {
      const element = { [list]: [] };
      assert.deepEqual(split(feed, bodyOf(element), { game: '42070' }).observations, [
        { msfGameId: 42070, game: null, element },
      ]);
      assert.equal(elementRefusal(feed, 'NBA', 42070, element), null);
    });
    it(`of ${feed} is of no game that is not named so`, () => {
      for (const game of [null, '', '20171017-BOS-CLE', '-1', '1.0', '99999999999999999999']) {
        assert.deepEqual(split(feed, bodyOf({ [list]: [] }), { game }), { observations: [], refusals: [] });
      }
    });
  }
});

type Bad = { pointer: string; feed: MsfFeed; body: JsonValue; league?: League; game?: string };

const games = (schedule: JsonValue, ...before: JsonValue[]) => ({ games: [...before, { schedule, score: {} }] });
const inGame = (game: JsonValue) => ({ game, stats });
const without = (object: JsonObject, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
const plays = (...all: JsonValue[]) => ({ game: gameObject(), plays: all });
const atBats = (...all: JsonValue[]) => ({ game: gameObject(), atBats: all });
const second = { quarter: 2, secondsElapsed: 7 };
const thousand = Array.from({ length: 1_000 }, () => play(second));

/** Members of a game object, and what each is not. */
const members: readonly (readonly [member: string, ...wrong: JsonValue[]])[] = [
  ['id', null, '900001', 1.5, 2 ** 53, [], {}],
  ['startTime', null, 1768005000, '2026-01-10T00:30:00', '20260110', ''],
  ['awayTeam', null, 501, 'BOS', [501]],
  ['homeTeam', null, { id: null }, { id: '502' }, { abbreviation: 'CLE' }],
  ['scheduleStatus', null, 0, {}],
  ['playedStatus', null, true, []],
];
const pointerOf = (member: string) => (member.endsWith('Team') ? `${member}/id` : member);

const bad: readonly Bad[] = [
  ...[null, {}, { plays: [] }, { players: null }, [], 'x', 1].flatMap((body): Bad[] => [
    { pointer: '/games', feed: 'games', body },
    { pointer: '/gamelogs', feed: 'player_gamelogs', body },
    { pointer: '/gamelogs', feed: 'team_gamelogs', body },
    { pointer: '/players', feed: 'injuries', body },
    { pointer: '/players', feed: 'players', body },
    { pointer: '/teamLineups', feed: 'lineup', body },
    { pointer: '/gameLines', feed: 'odds_gamelines', body },
    { pointer: '/stats/away/players', feed: 'boxscore', body },
  ]),
  { pointer: '/plays', feed: 'playbyplay', body: { game: gameObject(), plays: { 0: 1 } } },
  { pointer: '/plays', feed: 'playbyplay', body: whole.lineup },
  { pointer: '/plays', feed: 'playbyplay', body: { game: gameObject(), atBats: [] } },
  { pointer: '/atBats', feed: 'playbyplay', league: 'MLB', body: plays() },
  { pointer: '/stats/away/players', feed: 'boxscore', body: whole.playbyplay },
  { pointer: '/stats/away/players', feed: 'boxscore', body: { game: gameObject(), stats: { home: { players: [] } } } },
  { pointer: '/stats/home/players', feed: 'boxscore', body: { game: gameObject(), stats: { away: { players: [] } } } },

  ...members.flatMap(([member, ...wrong]) =>
    [without(gameObject(), member), ...wrong.map((value) => gameObject({ [member]: value }))].flatMap((game): Bad[] => [
      { pointer: `/game/${pointerOf(member)}`, feed: 'boxscore', body: inGame(game) },
      { pointer: `/games/0/schedule/${pointerOf(member)}`, feed: 'games', body: games(game) },
    ]),
  ),
  ...[null, 1, [], 'x'].flatMap((game): Bad[] => [
    { pointer: '/game/id', feed: 'boxscore', body: inGame(game) },
    { pointer: '/games/1/schedule/id', feed: 'games', body: games(game, { schedule: gameObject() }) },
    { pointer: '/gamelogs/0/game/id', feed: 'team_gamelogs', body: { gamelogs: [log({ game })] } },
    { pointer: '/games/0/schedule/id', feed: 'games', body: { games: [game] } },
  ]),
  {
    pointer: '/gamelogs/0/game/id',
    feed: 'team_gamelogs',
    body: { gamelogs: [log({ game: gamelogGame({ id: 'x' }) })] },
  },
  {
    pointer: '/gamelogs/0/game/startTime',
    feed: 'team_gamelogs',
    body: { gamelogs: [log({ game: gamelogGame({ startTime: null }) })] },
  },
  ...[null, [], 'x', 1].map((each): Bad => {
    return { pointer: '/gamelogs/0/stats', feed: 'team_gamelogs', body: { gamelogs: [log({ stats: each })] } };
  }),
  { pointer: '/gamelogs/0/player', feed: 'team_gamelogs', body: whole.player_gamelogs },
  { pointer: '/gamelogs/0/player', feed: 'player_gamelogs', body: whole.team_gamelogs },
  { pointer: '/players/1/player', feed: 'injuries', body: { players: [player, { player, teamAsOfDate: null }] } },

  ...(['boxscore', 'playbyplay', 'lineup'] as const).flatMap((feed): Bad[] => [
    { pointer: '/game/id', feed, game: '900002', body: whole[feed] },
    { pointer: '/game/id', feed, game: '99999999999999999999', body: whole[feed] },
  ]),

  ...[null, 1, [], 'x', {}, { playStatus: null }, { playStatus: [] }].map((each): Bad => {
    return { pointer: '/plays/1/playStatus', feed: 'playbyplay', body: plays(play(second), each) };
  }),
  ...[null, 'x', 1.5, -1, 100_000, []].map((quarter): Bad => {
    return { pointer: '/plays/0/playStatus/quarter', feed: 'playbyplay', body: plays(play({ quarter })) };
  }),
  { pointer: '/plays/0/playStatus/period', feed: 'playbyplay', league: 'NHL', body: plays(play({})) },
  { pointer: '/plays/0/playStatus/period', feed: 'playbyplay', league: 'NHL', body: plays(play({ period: 'x' })) },
  ...['x', 1.5, -1, 100_000, [], true].map((secondsElapsed): Bad => {
    const body = plays(play(second), play({ quarter: 1, secondsElapsed }));
    return { pointer: '/plays/1/playStatus/secondsElapsed', feed: 'playbyplay', body };
  }),
  { pointer: '/plays/1000', feed: 'playbyplay', body: plays(...thousand, play({ quarter: 2 })) },
  { pointer: '/atBats/0/atBatPlay', feed: 'playbyplay', league: 'MLB', body: atBats({ inning: 1 }) },
  {
    pointer: '/atBats/1/atBatPlay',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [] }, null),
  },
  { pointer: '/atBats/0/inning', feed: 'playbyplay', league: 'MLB', body: atBats({ inning: 'x', atBatPlay: [] }) },
  {
    pointer: '/atBats/0/atBatPlay/0/playStatus/inning',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ atBatPlay: [play({})] }),
  },
  {
    pointer: '/atBats/0/atBatPlay/1/playStatus',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [play(null), null] }),
  },
  {
    pointer: '/atBats/0/atBatPlay/1000',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [...thousand.map(() => play(null)), play(null)] }),
  },

  ...msfFeeds.map((feed): Bad => ({ pointer: '', feed, body: { ...whole[feed], note: ['\ud800'] } })),
  { pointer: '', feed: 'games', body: { ...whole.games, '\udc00': 1 } },
];

describe('bad-body', () => {
  for (const [number, { pointer, feed, body, league = 'NBA', game = null }] of bad.entries()) {
    it(`${number}: ${feed} ${pointer}`, () => {
      const { refusals } = split(feed, body, { league, game });
      assert.deepEqual(
        refusals.map((each) => each.pointer),
        [pointer],
      );
      assert.match(refusals[0]?.detail ?? '', /^[ -~]+$/);
      const scope = game === null ? 900001 : Number(game);
      assert.deepEqual(elementRefusal(feed, league, scope, body), refusals[0]);
    });
  }
});

describe('what is merely unknown or missing', () => {
  const fine: readonly (readonly [what: string, Bad])[] = [
    ['team statistics', { pointer: '', feed: 'boxscore', body: inGame(gameObject()) }],
    [
      'statuses',
      { pointer: '', feed: 'boxscore', body: inGame(gameObject({ playedStatus: 'ODD', scheduleStatus: '' })) },
    ],
    ['an action', { pointer: '', feed: 'playbyplay', body: plays({ playStatus: second, wobble: 1 }) }],
    ['a clock', { pointer: '', feed: 'playbyplay', body: plays(play({ quarter: 99_999, secondsElapsed: null })) }],
    ['the thousandth play of a second', { pointer: '', feed: 'playbyplay', body: plays(...thousand) }],
    [
      'a status of a play of an at-bat',
      { pointer: '', feed: 'playbyplay', league: 'MLB', body: atBats({ inning: 1, atBatPlay: [{}] }) },
    ],
    ['a slug for a game', { pointer: '', feed: 'boxscore', game: '20260109-BOS-CLE', body: whole.boxscore }],
    ['the same game by number', { pointer: '', feed: 'boxscore', game: '0900001', body: whole.boxscore }],
  ];
  for (const [what, { feed, body, league = 'NBA', game = null }] of fine) {
    it(`is no fault: ${what}`, () => {
      assert.deepEqual(split(feed, body, { league, game }).refusals, []);
      assert.equal(elementRefusal(feed, league, 900001, body), null);
    });
  }
});

describe('an element of a record', () => {
  it('is of its game alone', () => {
    const two = { games: [...(whole.games.games as JsonValue[]), { schedule: gameObject({ id: 2 }) }] };
    assert.equal(elementRefusal('games', 'NBA', 900001, two)?.pointer, '/games/1/schedule/id');
    assert.equal(elementRefusal('games', 'NBA', 2, whole.games)?.pointer, '/games/0/schedule/id');
    assert.equal(elementRefusal('boxscore', 'NBA', 2, whole.boxscore)?.pointer, '/game/id');
  });
  it('is of a game, where its feed is', () => {
    assert.equal(elementRefusal('games', 'NBA', null, { games: [] })?.pointer, '');
    assert.equal(elementRefusal('boxscore', 'NBA', null, whole.boxscore)?.pointer, '/game/id');
    assert.equal(elementRefusal('injuries', 'NBA', null, whole.injuries), null);
    assert.equal(elementRefusal('injuries', 'NBA', 900001, whole.injuries), null);
  });
  it('is none of lines', () => {
    assert.equal(elementRefusal('odds_gamelines', 'NBA', 900001, whole.odds_gamelines)?.pointer, '');
  });
});
