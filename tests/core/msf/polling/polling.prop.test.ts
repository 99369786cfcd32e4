// Claims: whatever is played and whatever is answered, the poller spends at most 100 tokens a minute, requests no feed of a game twice at
// once or more often than every 15 s without a reason, and no wanted feed starves. And: no body makes the reader of facts fail. A violation
// would need a budget that returns tokens too early, or an order in which one feed always precedes another.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { PullAnswer } from '../../../../core/msf/polling/polling.ts';
import { tokensPerMinute } from '../../../../core/msf/polling/pull-budget.ts';
import { factsOf } from '../../../../core/msf/polling/pull-facts.ts';
import { polledLeagues, pullKey } from '../../../../core/msf/polling/pulls.ts';
import { microsPerHour, microsPerMinute } from '../../../../core/units.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { type MadeRequest, type PolledWorld, passTime, polledWorld } from '../../../support/fakes/polled-world.ts';

const evening = Date.UTC(2026, 0, 10, 1) * 1000;

const games = fc.array(
  fc.record({
    league: fc.constantFrom(...polledLeagues),
    startsInMinutes: fc.integer({ min: -2_000, max: 600 }),
    playedStatus: fc.constantFrom('UNPLAYED', 'LIVE', 'LIVE', 'COMPLETED_PENDING_REVIEW', 'COMPLETED', 'WHAT'),
  }),
  { maxLength: 40 },
);
const troubles = fc.array(
  fc.constantFrom<PullAnswer['kind']>('too-many', 'trouble', 'no-content', 'unknown', 'unchanged', 'unreachable'),
  { maxLength: 60 },
);

function worldOf(
  list: readonly { league: (typeof polledLeagues)[number]; startsInMinutes: number; playedStatus: string }[],
): PolledWorld {
  const world = polledWorld(evening, true);
  for (const [id, { league, startsInMinutes, playedStatus }] of list.entries()) {
    const one = { id, startTime: evening + startsInMinutes * microsPerMinute, playedStatus };
    world.games.set(league, [...(world.games.get(league) ?? []), one]);
  }
  return world;
}

/** The most tokens spent in any 60 s. */
function densestMinute(requests: readonly MadeRequest[]): number {
  let densest = 0;
  let tokens = 0;
  let oldest = 0;
  for (const { at, weight } of requests) {
    tokens += weight;
    for (; requests[oldest]!.at <= at - microsPerMinute; oldest += 1) tokens -= requests[oldest]!.weight;
    densest = Math.max(densest, tokens);
  }
  return densest;
}

describe('the scheduling of polls', () => {
  it('spends at most 100 tokens in any minute, and sends no request twice at once', () => {
    fc.assert(
      fc.property(games, troubles, (list, answers) => {
        const world = worldOf(list);
        let at = 0;
        const underWay = new Map<string, number>();
        world.bend = (pull, now) => {
          const busyUntil = underWay.get(pullKey(pull)) ?? 0;
          assert.ok(now >= busyUntil, `${pullKey(pull)} is asked twice at once`);
          underWay.set(pullKey(pull), now + world.latency);
          const kind = answers[at++];
          if (kind === undefined) return null;
          return kind === 'too-many' ? { kind, retryAfter: null } : ({ kind } as PullAnswer);
        };
        passTime(world, 6 * microsPerMinute);
        assert.ok(densestMinute(world.requests) <= tokensPerMinute, `${densestMinute(world.requests)} tokens`);
      }),
      { numRuns: cases(20) },
    );
  });

  it('divides a budget that is too small for all: each live game and each heavy feed gets its share', () => {
    const live = Array.from({ length: 40 }, (_, n) => ({
      league: polledLeagues[n % 4]!,
      startsInMinutes: -60,
      playedStatus: 'LIVE',
    }));
    const world = worldOf(live);
    passTime(world, 30 * microsPerMinute);
    world.requests.length = 0;
    passTime(world, 80 * microsPerMinute);
    const counts = new Map<string, number>();
    for (const { pull } of world.requests) counts.set(pullKey(pull), (counts.get(pullKey(pull)) ?? 0) + 1);
    const ofGames = [...counts].filter(([key]) => /playbyplay|boxscore/.test(key)).map(([, count]) => count);
    assert.equal(ofGames.length, 80);
    assert.ok(Math.max(...ofGames) - Math.min(...ofGames) <= 5, `${Math.min(...ofGames)} to ${Math.max(...ofGames)}`);
    for (const league of polledLeagues) {
      assert.ok((counts.get(`${league} injuries`) ?? 0) >= 1, `${league} injuries`);
      assert.ok(
        [...counts].some(([key]) => key.startsWith(`${league} odds_gamelines`)),
        `${league} odds`,
      );
    }
    assert.ok(densestMinute(world.requests) <= tokensPerMinute);
    assert.ok(densestMinute(world.requests) >= 90, 'the budget is used');
  });

  it('keeps asking for every live game, whatever was answered an hour ago', () => {
    fc.assert(
      fc.property(games, troubles, (list, answers) => {
        const world = worldOf(list);
        let at = 0;
        world.bend = () => {
          const kind = answers[at++];
          return kind === undefined
            ? null
            : kind === 'too-many'
              ? { kind, retryAfter: null }
              : ({ kind } as PullAnswer);
        };
        passTime(world, 2 * microsPerHour);
        const from = world.now - 10 * microsPerMinute;
        const asked = new Set(world.requests.filter((request) => request.at >= from).map(({ pull }) => pullKey(pull)));
        for (const [league, known] of world.games) {
          for (const { id, startTime, playedStatus } of known) {
            const hours = (world.now - startTime) / microsPerHour;
            if (playedStatus === 'LIVE' && hours < 11)
              assert.ok(asked.has(`${league} playbyplay ${id}`), `${league} ${id}`);
          }
        }
      }),
      { numRuns: cases(8) },
    );
  });
});

describe('facts of bodies', () => {
  const pull = { league: 'NBA', game: null, day: null } as const;
  it('are read from any JSON without an error', () => {
    const list = fc.array(
      fc.oneof(
        fc.jsonValue(),
        fc.record({
          feed: fc.jsonValue(),
          lastUpdatedOn: fc.jsonValue(),
          forGame: fc.jsonValue(),
          forDate: fc.jsonValue(),
        }),
      ),
    );
    const body = fc.oneof(fc.jsonValue(), fc.record({ feedUpdates: list, games: list, game: fc.jsonValue() }));
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('latest_updates' as const, 'games' as const, 'playbyplay' as const),
        (value, feed) => {
          const { games: found, stamps } = factsOf({ ...pull, feed }, value as never);
          assert.ok(found.every(({ id, startTime }) => Number.isSafeInteger(id) && Number.isSafeInteger(startTime)));
          assert.ok(feed === 'latest_updates' || stamps === null);
        },
      ),
    );
  });

  it('know a feed by its name or abbreviation, of the season, a day or a game', () => {
    const named = (abbreviation: string, name: string, more: object) => ({ feed: { abbreviation, name }, ...more });
    const body = {
      lastUpdatedOn: '2026-01-10T01:00:00.000Z',
      feedUpdates: [
        named('SEASONAL_GAMES', 'Seasonal Games', { lastUpdatedOn: 'a' }),
        named('GAME_PLAYBYPLAY', 'Game Play-By-Play', {
          lastUpdatedOn: 'x',
          forGame: [{ game: { id: 42 }, lastUpdatedOn: 'b' }],
        }),
        named('GAME_BOXSCORE', 'Game Boxscore', {
          forGames: [
            { game: { id: 42 }, lastUpdatedOn: 'c' },
            { game: { id: 43 }, lastUpdatedOn: null },
          ],
        }),
        named('DAILY_PLAYER_GAMELOGS', 'Daily Player Gamelogs', {
          forDate: [{ date: '2026-01-09', lastUpdatedOn: 'd' }],
        }),
        named('DAILY_GAMES', 'Daily Games', { forDate: [{ forDate: '20260109', lastUpdatedOn: 'e' }] }),
        named('PLAYER_INJURIES', 'Player Injuries', { lastUpdatedOn: 'f' }),
        named('INJURY_HISTORY', 'Injury History', { lastUpdatedOn: 'g' }),
        named('DFS', 'Daily DFS', { lastUpdatedOn: 'h' }),
        { feed: 'players', lastUpdatedOn: 'i' },
        { feed: 'Seasonal Team Standings', lastUpdatedOn: 'j' },
      ],
    };
    const { stamps } = factsOf({ ...pull, feed: 'latest_updates' }, body);
    assert.deepEqual(Object.fromEntries(stamps ?? []), {
      games: 'a',
      'playbyplay 42': 'b',
      'boxscore 42': 'c',
      'player_gamelogs 20260109': 'd',
      'games 20260109': 'e',
      injuries: 'f',
      players: 'i',
    });
  });
});
