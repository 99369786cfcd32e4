// The games that the demo plays to their end: what the bodies tell of one agrees with itself, the books leave when it is over, and their player
// markets are of players and statistics that the box score has. The short game is a recording that never runs ahead of the clock.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import { directBody, pollBody } from '../../../ops/demo/bodies.ts';
import { boxscoreBody, gamesBody, playbyplayBody } from '../../../ops/demo/feed-bodies.ts';
import { openMemory } from '../../../ops/demo/memory.ts';
import { recordedPushes } from '../../../ops/demo/recorded-pushes.ts';
import { playersOf } from '../../../ops/demo/rosters.ts';
import { recordedTimes, shortGame } from '../../../ops/demo/short-game.ts';
import { type DemoGame, gamesAt, isQuoted, teamsOf } from '../../../ops/demo/slate.ts';
import { leagues } from '../../../schemas/reference/leagues.ts';
import { type OracleLeague, saidOf } from '../../oracle/leagues.ts';

const midnight = Date.UTC(2026, 10, 21) / 1_000;
const seeds = [1, 7, 20_260_805];
/** At least nine games of each league. */
const games = seeds.flatMap((seed) => gamesAt(seed, midnight).map((game) => ({ seed, game })));
const over = (game: DemoGame): number => game.actual + game.length;

type Numbers = { [name: string]: number };
type Scored = { awayScoreTotal: number; homeScoreTotal: number; [list: string]: Numbers[] | number | null };
type Line = { player: { firstName: string; lastName: string }; playerStats: { [group: string]: Numbers }[] };
type Box = {
  scoring: Scored;
  stats: Record<'away' | 'home', { players: Line[]; teamStats: [{ [group: string]: Numbers }] }>;
};

const boxOf = (seed: number, game: DemoGame, at = over(game)) => boxscoreBody(seed, game, at) as Box;
const partsOf = { inning: 'innings', quarter: 'quarters', period: 'periods', half: 'periods' } as const;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The points in a player's line, by the rules of the sport. */
const pointsOf: Record<OracleLeague['sport'], (line: { [group: string]: Numbers }) => number> = {
  baseball: (line) => line.batting!.runs!,
  basketball: (line) => line.offense!.pts!,
  hockey: (line) => line.scoring!.goals!,
  football: (line) =>
    6 * (line.rushing!.rushTD! + line.receiving!.recTD!) +
    3 * line.fieldGoals!.fgMade! +
    line.extraPointAttempts!.xpMade!,
};

/** The statistics of docs/settlement.md#player-markets that grade the demo's player markets. */
const statisticOf: Record<string, Partial<Record<OracleLeague['sport'], readonly [string, string]>>> = {
  player_points: { basketball: ['offense', 'pts'] },
  player_rebounds: { basketball: ['rebounds', 'reb'] },
  player_pass_yds: { football: ['passing', 'passYards'] },
  player_rush_yds: { football: ['rushing', 'rushYards'] },
  player_receptions: { football: ['receiving', 'receptions'] },
  player_anytime_td: { football: ['receiving', 'recTD'] },
  player_goal_scorer_anytime: { hockey: ['scoring', 'goals'] },
  player_shots_on_goal: { hockey: ['skating', 'shots'] },
  player_total_saves: { hockey: ['goaltending', 'saves'] },
  batter_hits: { baseball: ['batting', 'hits'] },
  batter_total_bases: { baseball: ['batting', 'totalBases'] },
  pitcher_strikeouts: { baseball: ['pitching', 'pitcherStrikeouts'] },
};

describe('a game of the demo that is over', () => {
  it('has a winner, and one score: in total, by periods and by players', () => {
    const leaguesSeen = new Set<string>();
    for (const { seed, game } of games) {
      const { scoring, stats } = boxOf(seed, game);
      const of = `${game.eventId} ${game.league}`;
      assert.notEqual(scoring.awayScoreTotal, scoring.homeScoreTotal, of);
      for (const side of ['away', 'home'] as const) {
        const total = scoring[`${side}ScoreTotal`];
        const parts = scoring[partsOf[saidOf(game.league).part]] as Numbers[];
        assert.equal(sum(parts.map((part) => part[`${side}Score`]!)), total, of);
        assert.equal(
          sum(stats[side].players.map(({ playerStats: [line] }) => pointsOf[saidOf(game.league).sport](line!))),
          total,
          of,
        );
        assert.equal(pointsOf[saidOf(game.league).sport](stats[side].teamStats[0]), total, of);
      }
      const {
        games: [entry],
      } = gamesBody(seed, [game], over(game)) as { games: [{ score: Scored }] };
      assert.deepEqual(entry.score, scoring);
      leaguesSeen.add(game.league);
    }
    assert.deepEqual([...leaguesSeen].sort(), [...leagues].sort());
  });

  it('has as many periods as its league plays, and tells when it ended', () => {
    for (const { seed, game } of games) {
      const { scoring } = boxOf(seed, game);
      assert.equal((scoring[partsOf[saidOf(game.league).part]] as Numbers[]).length, saidOf(game.league).regular);
      const { game: body } = playbyplayBody(seed, game, over(game)) as {
        game: { playedStatus: string; endedTime: string };
      };
      assert.equal(body.playedStatus, 'COMPLETED_PENDING_REVIEW');
      assert.equal(Date.parse(body.endedTime) / 1_000, over(game));
      const before = playbyplayBody(seed, game, over(game) - 1) as { game: { playedStatus: string; endedTime: null } };
      assert.deepEqual([before.game.playedStatus, before.game.endedTime], ['LIVE', null]);
    }
  });

  it('gets another scorer a quarter of an hour after its end, and no other score', () => {
    for (const { seed, game } of games.filter((each) => each.game.league === 'NBA')) {
      const [first, then] = [boxOf(seed, game, over(game) + 899), boxOf(seed, game, over(game) + 900)];
      assert.deepEqual(then.scoring, first.scoring);
      const moved = (['away', 'home'] as const).flatMap((side) =>
        then.stats[side].players.map(({ playerStats: [line] }, slot) => {
          return pointsOf.basketball(line!) - pointsOf.basketball(first.stats[side].players[slot]!.playerStats[0]!);
        }),
      );
      const differing = moved.filter((by) => by !== 0);
      assert.ok(differing.length === 2 && sum(differing) === 0, differing.join());
    }
  });

  it('has empty offers for a minute, and then none', () => {
    for (const { seed, game } of games) {
      for (const at of [over(game), over(game) + 60]) {
        assert.ok(isQuoted(game, at));
        const [polled] = pollBody(seed, [game], at) as { bookmakers: { markets: unknown[] }[] }[];
        assert.ok(polled!.bookmakers.every(({ markets }) => markets.length === 0));
        const { events } = directBody(seed, [game], at) as { events: { quotes: unknown[] }[] };
        assert.deepEqual(
          events.map(({ quotes }) => quotes),
          [[]],
        );
      }
      assert.ok(!isQuoted(game, over(game) + 61));
    }
  });
});

describe('player markets', () => {
  it('are of players in the box score and of statistics that somebody there has, and leave at the start', () => {
    const seen = new Set<string>();
    for (const { seed, game } of games) {
      const markets = [1_800, 1_200, 600].flatMap((before) => polledMarkets(seed, game, game.actual - before));
      const { stats } = boxOf(seed, game);
      const lines = [...stats.away.players, ...stats.home.players];
      const names = lines.map(({ player }) => `${player.firstName} ${player.lastName}`);
      assert.equal(new Set(names).size, 20);
      for (const { key, outcomes } of markets.filter(({ key }) => /^(player|batter|pitcher)_/.test(key))) {
        const [group, name] = statisticOf[key]?.[saidOf(game.league).sport] ?? assert.fail(`${game.league} ${key}`);
        assert.ok(
          lines.some(({ playerStats: [line] }) => line![group]![name]! > 0),
          `${game.league} ${key}`,
        );
        for (const { description } of outcomes) assert.ok(names.includes(description!), description);
        seen.add(`${game.league} ${key}`);
      }
      const inPlay = polledMarkets(seed, game, game.actual + 400);
      assert.ok(inPlay.every(({ key }) => ['h2h', 'spreads', 'totals'].includes(key)));
    }
    const expected = leagues.flatMap((league) => {
      const markets = Object.keys(statisticOf).filter((market) => saidOf(league).sport in (statisticOf[market] ?? {}));
      return markets.map((market) => `${league} ${market}`);
    });
    assert.deepEqual([...seen].sort(), expected.sort());
  });

  it('name one player each: no two of a league are called alike', () => {
    for (const seed of seeds) {
      for (const league of leagues) {
        const names = teamsOf(league).flatMap((name) =>
          playersOf(seed, { league, name }).map(({ firstName, lastName }) => `${firstName} ${lastName}`),
        );
        assert.equal(new Set(names).size, names.length);
      }
    }
  });
});

function polledMarkets(
  seed: number,
  game: DemoGame,
  at: number,
): { key: string; outcomes: { description?: string }[] }[] {
  const [polled] = pollBody(seed, [game], at) as {
    bookmakers: { markets: { key: string; outcomes: { description?: string }[] }[] }[];
  }[];
  return polled!.bookmakers.flatMap(({ markets }) => markets);
}

describe('the short game of a start', () => {
  const starts = Array.from({ length: 200 }, (_, index) => midnight + index * 7_321);

  it('goes from before its start to beyond the correction, at no time that is yet to come', () => {
    for (const start of starts) {
      const game = shortGame(1, start);
      const times = recordedTimes(game);
      assert.ok(times.every((at, index) => index === 0 || at > times[index - 1]!));
      assert.ok(times.length <= 240, `${times.length} rounds, one a second, are more than four minutes`);
      assert.ok(times[0]! <= game.actual - 900 && times.includes(game.actual) && times.includes(over(game)));
      assert.ok(times.at(-1)! >= over(game) + 900);
      assert.ok(times.at(-1)! < start);
    }
  });

  it('is of teams that the slate leaves free, and is another one at each start', () => {
    for (const start of starts) {
      const { home, away, eventId } = shortGame(1, start);
      const busy = gamesAt(1, start).flatMap((game) => [game.home, game.away]);
      assert.ok(!busy.includes(home) && !busy.includes(away), eventId);
    }
    assert.equal(new Set(starts.map((start) => shortGame(1, start).feedId)).size, starts.length);
    assert.equal(new Set(starts.map((start) => shortGame(1, start).eventId)).size, starts.length);
  });

  it('is taken without a refusal, each record at its own time', () => {
    const game = shortGame(7, midnight);
    for (const at of recordedTimes(game)) {
      const observedAt = formatMicros(at * microsPerSecond);
      const context = {
        source: 'demo',
        receivedAt: midnight * microsPerSecond,
        may: everything,
        mayBackfill: true,
        observedAt,
        idempotencyKey: null,
      };
      for (const { route, body } of recordedPushes(7, game, at)) {
        if (route.startsWith('msf/')) continue;
        const bytes = Buffer.from(JSON.stringify(body));
        const [, bookmakers = null] = route.split('?bookmakers=');
        const terms = readPollTerms({ oddsFormat: null, markets: null, bookmakers });
        assert.ok(terms.kind !== 'invalid');
        const push =
          route === 'quotes'
            ? runToEnd(adaptNativePush(bytes, 'json', context))
            : runToEnd(adaptTheOddsApiPush(bytes, terms, context));
        assert.ok(push.kind === 'elements');
        for (const element of push.elements) {
          assert.ok(element.kind === 'accepted', route);
          assert.deepEqual([element.refusals, element.observation.observed_at], [[], at * microsPerSecond]);
        }
      }
    }
  });

  it('goes on after a stop, and is another one after its end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-demo-'));
    try {
      const all = recordedTimes(shortGame(1, 1_000_000)).length;
      const first = openMemory(folder, 1);
      assert.deepEqual(first.recall(1_000_000), {
        seed: 1,
        since: 1_000_000,
        recording: { start: 1_000_000, told: 0 },
      });
      first.keep(17);
      const second = openMemory(folder, 1);
      assert.deepEqual(second.recall(1_000_500).recording, { start: 1_000_000, told: 17 });
      second.keep(all);
      const third = openMemory(folder, 1).recall(2_000_000);
      assert.deepEqual(third, { seed: 1, since: 1_000_000, recording: { start: 2_000_000, told: 0 } });
      assert.deepEqual(openMemory(folder, 2).recall(3_000_000).recording, { start: 3_000_000, told: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
