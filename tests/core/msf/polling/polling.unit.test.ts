// What the poller asks next (docs/revisions.md#poller), in simulated time: updates first and then what moved, live games every 15 s, every
// kind of answer taken as it is meant, and `force=false` only where nothing can be lost by it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { PolledGame } from '../../../../core/msf/polling/paces.ts';
import type { PullAnswer } from '../../../../core/msf/polling/polling.ts';
import { pullPath, pullWeight } from '../../../../core/msf/polling/pulls.ts';
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../../../core/units.ts';
import { about, type PolledWorld, passTime, polledWorld, secondsOf } from '../../../support/fakes/polled-world.ts';

const second = microsPerSecond;
const minute = microsPerMinute;
const hour = microsPerHour;
/** 20:00 in New York. */
const evening = Date.UTC(2026, 0, 10, 1) * 1000;

const game = (id: number, startTime: Micros, playedStatus = 'UNPLAYED'): PolledGame => ({
  id,
  startTime,
  playedStatus,
});
const oneGame = (world: PolledWorld, one: PolledGame): void => void world.games.set('NBA', [one]);

/** A world after ten minutes, in which everything was requested once. */
function steadyWorld(one: PolledGame, ownKey = false): PolledWorld {
  const world = polledWorld(evening, ownKey);
  oneGame(world, one);
  passTime(world, 10 * minute);
  world.requests.length = 0;
  return world;
}

const intervals = (moments: readonly number[]): number[] => moments.slice(1).map((at, n) => at - moments[n]!);
const usual = (moments: readonly number[]): number =>
  intervals(moments).sort((a, b) => a - b)[moments.length >> 1] ?? 0;

describe('what is asked of MySportsFeeds', () => {
  it('asks for the list of updates of each league first, then for the season and its game', () => {
    const world = polledWorld(evening);
    oneGame(world, game(42, evening - hour, 'LIVE'));
    passTime(world, 5 * second);
    const paths = world.requests.map(({ path }) => path);
    assert.deepEqual(
      paths.slice(0, 4).sort(),
      ['mlb', 'nba', 'nfl', 'nhl'].map((league) => `${league}/current/latest_updates.json`),
    );
    assert.ok(paths.indexOf('nba/current/games.json') < paths.indexOf('nba/current/games/42/playbyplay.json'));
    assert.ok(paths.includes('nba/current/games/42/boxscore.json'));
    assert.ok(paths.includes('nba/current/date/20260109/games.json'));
  });

  it('a live game every 15 s; one that starts within the hour every 30 s; a game day every 5 min; else every hour', () => {
    const live = steadyWorld(game(42, evening - hour, 'LIVE'));
    passTime(live, 10 * minute);
    for (const subject of ['playbyplay 42', 'boxscore 42', 'latest_updates'])
      assert.ok(
        [15, 16].includes(usual(secondsOf(live, evening, (r) => r.pull.league === 'NBA' && about(subject)(r)))),
        subject,
      );
    for (const [one, pace] of [
      [game(42, evening + hour - minute), 30],
      [game(42, evening + 3 * hour), 300],
      [game(42, evening + 30 * hour), 3_600],
    ] as const) {
      const world = steadyWorld(one);
      passTime(world, Math.min(3 * pace * second, 40 * minute));
      const asked = secondsOf(world, evening, (r) => r.pull.league === 'NBA' && about('latest_updates')(r));
      if (pace === 3_600) assert.deepEqual(asked, []);
      else assert.ok(Math.abs(usual(asked) - pace) <= 1, `${pace}: ${asked.join()}`);
      assert.deepEqual(secondsOf(world, evening, about('playbyplay 42')), []);
    }
  });

  it('asks for a game without updates once a minute, and at once after an update', () => {
    const world = polledWorld(evening);
    oneGame(world, game(42, evening - hour, 'LIVE'));
    const stamps = new Map([
      ['playbyplay 42', 'one'],
      ['boxscore 42', 'one'],
    ]);
    world.stamps.set('NBA', stamps);
    passTime(world, 10 * minute);
    world.requests.length = 0;
    const from = world.now;
    passTime(world, 5 * minute);
    assert.ok(Math.abs(usual(secondsOf(world, from, about('playbyplay 42'))) - 60) <= 15);
    world.stamps.set('NBA', new Map(stamps).set('playbyplay 42', 'two'));
    world.requests.length = 0;
    const moved = world.now;
    passTime(world, 95 * second);
    const looks = secondsOf(world, moved, about('playbyplay 42'));
    assert.ok(looks.some((at) => at <= 32) && intervals(looks).at(-1)! >= 59, looks.join());
    assert.ok(world.requests.filter(about('boxscore 42')).length <= 2);
  });

  it('an old game only when it moves after the first list of updates', () => {
    const world = polledWorld(evening);
    oneGame(world, game(7, evening - 72 * hour, 'COMPLETED'));
    world.stamps.set('NBA', new Map([['playbyplay 7', 'one']]));
    passTime(world, 3 * hour);
    assert.deepEqual(world.requests.filter(about('playbyplay 7')), []);
    world.stamps.set('NBA', new Map([['playbyplay 7', 'two']]));
    passTime(world, 3 * hour);
    assert.equal(world.requests.filter(about('playbyplay 7')).length, 1);
    assert.deepEqual(world.requests.filter(about('boxscore 7')), []);
  });

  it('asks for an ended game until one more pull agrees, then every hour, and stops after a day and a half', () => {
    const world = steadyWorld(game(42, evening - 3 * hour, 'LIVE'), true);
    oneGame(world, game(42, evening - 3 * hour, 'COMPLETED'));
    const ended = world.now;
    passTime(world, 3 * hour);
    const looks = world.requests.filter(about('playbyplay 42'));
    const after = looks.filter(({ at }) => at > ended + 16 * second);
    assert.ok(after[0]!.at - ended < 6 * minute && after[0]!.force, 'confirmed within minutes, in full');
    assert.ok(after.slice(1).every(({ force }) => !force));
    assert.ok(usual(after.map(({ at }) => at / second)) >= 3_599);
    passTime(world, 40 * hour);
    world.requests.length = 0;
    passTime(world, 3 * hour);
    assert.deepEqual(world.requests.filter(about('playbyplay 42')), []);
  });
});

describe('answers that bring nothing', () => {
  const live = game(42, evening - hour, 'LIVE');
  const bent = (subject: string, answer: PullAnswer) => {
    const world = steadyWorld(live);
    const from = world.now;
    world.bend = (pull) => (pullPath(pull) === subject ? answer : null);
    return { world, from, asked: (which: string) => secondsOf(world, from, ({ path }) => path === which) };
  };
  const plays = 'nba/current/games/42/playbyplay.json';
  const box = 'nba/current/games/42/boxscore.json';

  it('too many: no request before Retry-After, or for a minute without it', () => {
    for (const [retryAfter, rest] of [
      [20 * second, 20],
      [null, 60],
    ] as const) {
      const { world, from } = bent(plays, { kind: 'too-many', retryAfter });
      passTime(world, 16 * second);
      const refused = world.requests.filter(({ path }) => path === plays)[0]!.at;
      world.bend = () => null;
      passTime(world, 2 * minute);
      // Requests in progress when the refusal came were made before it.
      const next = world.requests.filter(({ at }) => at > refused + second / 4)[0]!;
      assert.ok(Math.abs(next.at - refused - rest * second) <= second, `${(next.at - refused) / second} s`);
      assert.ok(
        world.requests.some(({ path, at }) => path === plays && at > refused && at - refused < (rest + 5) * second),
      );
      assert.ok(from < refused);
    }
  });

  it('not subscribed: this feed of the league rests an hour, the others go on', () => {
    const { world, asked } = bent(plays, { kind: 'not-subscribed' });
    passTime(world, 50 * minute);
    assert.equal(asked(plays).length, 1);
    assert.ok(asked(box).length > 150);
    passTime(world, 20 * minute);
    assert.equal(asked(plays).length, 2);
  });

  it('no content yet: asked more and more seldom, at least every five minutes', () => {
    const { world, asked } = bent(plays, { kind: 'no-content' });
    passTime(world, 40 * minute);
    const gaps = intervals(asked(plays));
    assert.ok(gaps[0]! <= 16 && gaps.at(-1)! >= 300 && gaps.at(-1)! <= 301, gaps.join());
  });

  it('an unknown game: after five minutes, ten, twenty …', () => {
    const { world, asked } = bent(plays, { kind: 'unknown' });
    passTime(world, 40 * minute);
    assert.deepEqual(
      intervals(asked(plays)).map((gap) => Math.round(gap / 60)),
      [5, 10, 20],
    );
  });

  it('content that was refused as another source’s: in full, and no faster for news of it', () => {
    const world = polledWorld(evening, true);
    oneGame(world, live);
    const stamps = new Map<string, string>();
    world.stamps.set('NBA', stamps);
    const refused = { kind: 'other-source', facts: { games: [], stamps: null } } as const;
    world.bend = ({ feed }) => (feed === 'players' || feed === 'playbyplay' ? refused : null);
    for (let count = 0; count < 12; count += 1) {
      stamps.set('players', `p${count}`).set('playbyplay 42', `g${count}`);
      passTime(world, 10 * minute);
    }
    const asked = (subject: string) =>
      world.requests.filter((request) => request.pull.league === 'NBA' && about(subject)(request));
    assert.equal(asked('players').length, 1);
    assert.ok([15, 16].includes(usual(asked('playbyplay 42').map(({ at }) => Math.round((at - evening) / second)))));
    assert.ok(asked('playbyplay 42').every(({ force }) => force));
  });

  it('a source that publishes: after 2 s, 4 s … a minute; then as before', () => {
    const { world, from, asked } = bent(plays, { kind: 'trouble' });
    passTime(world, 5 * minute);
    const gaps = intervals(asked(plays));
    for (const [n, rest] of [2, 4, 8, 16, 32].entries()) {
      assert.ok(gaps[n]! >= rest && gaps[n]! <= rest + 2, gaps.join());
    }
    assert.ok(gaps.at(-1)! >= 60 && gaps.at(-1)! <= 61);
    world.bend = () => null;
    passTime(world, 5 * minute);
    assert.ok([15, 16].includes(usual(asked(plays).filter((at) => at > (world.now - from) / second - 180))));
  });

  it('failed lists of updates do not stop other requests', () => {
    const { world, asked } = bent('nba/current/latest_updates.json', { kind: 'trouble' });
    passTime(world, 5 * minute);
    assert.ok([15, 16, 17].includes(usual(asked(plays))), `${usual(asked(plays))}`);
  });

  it('no source, a refused key, a log that takes nothing: all polls rest', () => {
    for (const [answer, most] of [
      [{ kind: 'unreachable' }, 13],
      [{ kind: 'key-refused' }, 5],
      [{ kind: 'not-taken' }, 40],
    ] as const) {
      const world = steadyWorld(live);
      world.bend = () => answer;
      passTime(world, 5 * minute);
      assert.ok(world.requests.length <= most, `${answer.kind}: ${world.requests.length}`);
      assert.ok(world.requests.length >= 1);
    }
  });
});

describe('force=false', () => {
  it('is never sent with a key that other programs use', () => {
    const world = steadyWorld(game(42, evening - hour, 'LIVE'));
    passTime(world, 10 * minute);
    assert.ok(world.requests.every(({ force }) => force));
  });

  it('is sent with a key of its own once the log has the content, and not after a lost body', () => {
    const world = polledWorld(evening, true);
    oneGame(world, game(42, evening - hour, 'LIVE'));
    passTime(world, 10 * minute);
    const plays = world.requests.filter(about('playbyplay 42'));
    assert.deepEqual([plays[0]!.force, plays[1]!.force], [true, false]);
    world.bend = (pull) => (pull.feed === 'playbyplay' ? { kind: 'not-taken' } : null);
    passTime(world, 20 * second);
    world.bend = () => null;
    world.requests.length = 0;
    passTime(world, minute);
    const again = world.requests.filter(about('playbyplay 42'));
    assert.deepEqual([again[0]!.force, again[1]!.force], [true, false]);
  });
});

describe('a stamp that moved without its content', () => {
  /** A past game that was requested once, and about which there is nothing new since. */
  const heldWorld = (...others: PolledGame[]) => {
    const world = polledWorld(evening, true);
    world.games.set('NBA', [game(7, evening - 72 * hour, 'COMPLETED'), ...others]);
    const move = (stamp: string) => world.stamps.set('NBA', new Map([['playbyplay 7', stamp]]));
    move('one');
    passTime(world, 2 * hour);
    move('two');
    passTime(world, 2 * hour);
    assert.equal(world.requests.filter(about('playbyplay 7')).length, 1);
    world.requests.length = 0;
    world.bend = (pull) => (pull.game === 7 ? { kind: 'unchanged' } : null);
    return { world, move };
  };

  it('ends once the source answers that nothing is new: a past game is asked for once', () => {
    const { world, move } = heldWorld();
    move('three');
    passTime(world, 24 * hour);
    const asked = world.requests.filter(about('playbyplay 7'));
    assert.deepEqual(
      asked.map(({ force }) => force),
      [false],
    );
    world.bend = () => null;
    move('four');
    passTime(world, 3 * hour);
    assert.equal(world.requests.filter(about('playbyplay 7')).length, 2);
  });

  it('does not end with an answer that may only mean that the request came too soon', () => {
    // While a game is in progress, the list of updates is checked every 15 s.
    const { world, move } = heldWorld(game(42, evening - hour, 'LIVE'));
    world.bend = () => null;
    move('three');
    passTime(world, minute);
    const [content] = world.requests.filter(about('playbyplay 7'));
    move('four');
    world.bend = (pull, now) => (pull.game === 7 && now < content!.at + 10 * minute ? { kind: 'unchanged' } : null);
    passTime(world, hour);
    const asked = secondsOf(world, content!.at, about('playbyplay 7'));
    assert.ok(asked.length >= 3 && asked.length <= 4 && asked.at(-1)! >= 600, asked.join());
  });
});

it('the games of today, those that are on and those that ended within 36 hours are followed', () => {
  const world = polledWorld(evening);
  world.games.set('NBA', [
    game(1, evening - 37 * hour, 'COMPLETED'),
    game(2, evening - 35 * hour, 'COMPLETED'),
    game(3, evening - hour, 'LIVE'),
    game(4, evening + hour, 'UNPLAYED'),
    game(5, evening + 24 * hour, 'UNPLAYED'),
  ]);
  world.games.set('NHL', [game(3, evening, 'UNPLAYED')]);
  assert.deepEqual(world.polling.eventsFollowed(evening), []);
  passTime(world, minute);
  const followed = world.polling.eventsFollowed(evening).sort();
  assert.deepEqual(followed, ['game/NBA/2', 'game/NBA/3', 'game/NBA/4', 'game/NHL/3']);
});

it('a clock that is set back by a day stops nothing', () => {
  const world = steadyWorld(game(42, evening - hour, 'LIVE'));
  world.now -= 24 * hour;
  oneGame(world, game(42, world.now - hour, 'LIVE'));
  world.requests.length = 0;
  passTime(world, 10 * minute);
  assert.ok(world.requests.filter(about('playbyplay 42')).length > 20);
});

it('a request costs one token, and the seconds that its feed asks to be left alone', () => {
  const nba = { league: 'NBA', game: null, day: null } as const;
  assert.equal(pullWeight({ ...nba, feed: 'latest_updates' }), 1);
  assert.equal(pullWeight({ ...nba, feed: 'playbyplay', game: 42 }), 1);
  assert.equal(pullWeight({ ...nba, feed: 'injuries' }), 6);
  assert.equal(pullWeight({ ...nba, feed: 'player_gamelogs', day: '20260109' }), 6);
  assert.equal(pullWeight({ ...nba, feed: 'odds_gamelines', day: '20260109' }), 16);
  assert.equal(pullWeight({ ...nba, feed: 'player_gamelogs' }), 31);
});
