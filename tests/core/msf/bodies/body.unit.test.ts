// How bodies are split into observations, and that each thing that makes one `bad-body` is named by its pointer
// (docs/revisions.md#observations and Mapping). What a body is refused for, an element that a record brings is refused for as well.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../../../core/json/value.ts';
import { elementRefusal, type MsfBody, type SplitBody } from '../../../../core/msf/bodies/body.ts';
import { msfFeeds } from '../../../../core/msf/feeds/feeds.ts';
import type { MsfFeed } from '../../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../../core/time/rfc3339.ts';
import { splitBody } from '../../../support/builders/in-one-go.ts';
import {
  atBats,
  type Bad,
  badBodies,
  inGame,
  plays,
  second,
  thousandPlays,
} from '../../../support/builders/msf-bad-bodies.ts';
import {
  bodyOf,
  gamelogGame,
  gameObject,
  log,
  play,
  wholeBodies as whole,
} from '../../../support/builders/msf-bodies.ts';

function split(feed: MsfFeed, body: JsonValue, given: Partial<MsfBody> = {}): SplitBody {
  return splitBody({ league: 'NBA', feed, game: null, body, ...given });
}

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
  it('keeps the members beside its list', () => {
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
  it('of gamelogs is split in the same way', () => {
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

describe('bad-body', () => {
  for (const [number, { pointer, feed, body, league = 'NBA', game = null }] of badBodies.entries()) {
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

describe('unknown or missing members', () => {
  const fine: readonly (readonly [what: string, Bad])[] = [
    ['team statistics', { pointer: '', feed: 'boxscore', body: inGame(gameObject()) }],
    [
      'statuses',
      { pointer: '', feed: 'boxscore', body: inGame(gameObject({ playedStatus: 'ODD', scheduleStatus: '' })) },
    ],
    ['an action', { pointer: '', feed: 'playbyplay', body: plays({ playStatus: second, wobble: 1 }) }],
    ['a clock', { pointer: '', feed: 'playbyplay', body: plays(play({ quarter: 99_999, secondsElapsed: null })) }],
    ['the thousandth play of a second', { pointer: '', feed: 'playbyplay', body: plays(...thousandPlays) }],
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
  it('contains only its own game', () => {
    const two = { games: [...(whole.games.games as JsonValue[]), { schedule: gameObject({ id: 2 }) }] };
    assert.equal(elementRefusal('games', 'NBA', 900001, two)?.pointer, '/games/1/schedule/id');
    assert.equal(elementRefusal('games', 'NBA', 2, whole.games)?.pointer, '/games/0/schedule/id');
    assert.equal(elementRefusal('boxscore', 'NBA', 2, whole.boxscore)?.pointer, '/game/id');
  });
  it('is of a game if its feed is', () => {
    assert.equal(elementRefusal('games', 'NBA', null, { games: [] })?.pointer, '');
    assert.equal(elementRefusal('boxscore', 'NBA', null, whole.boxscore)?.pointer, '/game/id');
    assert.equal(elementRefusal('injuries', 'NBA', null, whole.injuries), null);
    assert.equal(elementRefusal('injuries', 'NBA', 900001, whole.injuries), null);
  });
  it('does not exist for game lines', () => {
    assert.equal(elementRefusal('odds_gamelines', 'NBA', 900001, whole.odds_gamelines)?.pointer, '');
  });
});
