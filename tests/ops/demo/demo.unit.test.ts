// The demo slate's world: the same for the same seed and second, and always worth looking at: games of all leagues, some in play and some to
// come at any hour, quoted in forms that the gateway takes without a word.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { resolvePush } from '../../../core/games/resolve.ts';
import { TeamDirectory } from '../../../core/games/team-directory.ts';
import { appearingTeam, referenceDirectory } from '../../../core/games/teams.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { gameEventId } from '../../../core/msf/ids.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import type { GameLookup } from '../../../core/ports/catalog/games.ts';
import { identifyElements } from '../../../core/reference/identify.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { microsPerSecond } from '../../../core/units.ts';
import type { AdaptedPush } from '../../../ingest/adapters/adapted.ts';
import { adaptMsfBody } from '../../../ingest/adapters/msf-body.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptReferencePush } from '../../../ingest/adapters/reference.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import { directBody, heartbeatBody, pollBody } from '../../../ops/demo/bodies.ts';
import { boxscoreBody, gamesBody, injuriesBody, lineupBody, playbyplayBody } from '../../../ops/demo/feed-bodies.ts';
import { type FeedPush, feedPushesAt, playersPushes } from '../../../ops/demo/feed-pushes.ts';
import { feedTeam, playersOf, teamsBody, teamsIn } from '../../../ops/demo/rosters.ts';
import { announcedStart, type DemoGame, gamesAt } from '../../../ops/demo/slate.ts';
import { statusAt } from '../../../ops/demo/timeline.ts';
import { type League, leagues } from '../../../schemas/reference/leagues.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { PureMsf } from '../../support/folds/msf-log.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const day = 86_400;
const midnight = Date.UTC(2026, 10, 21) / 1_000;
const seeds = [1, 7, 20_260_805];
const someSeeds = seeds.slice(0, cases(seeds.length));
const hours = Array.from({ length: 24 }, (_, hour) => midnight + hour * 3_600 + 17);

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));

function refusalsOf(push: AdaptedPush): unknown[] {
  if (push.kind === 'malformed') return [push.detail];
  return push.elements.flatMap((each) => (each.kind === 'refused' ? each.refusals : each.refusals));
}

describe('the simulated slate', () => {
  it('has at any hour games in play and games to come, and all leagues within a day', () => {
    for (const seed of seeds) {
      const seen = new Set<string>();
      for (const now of hours) {
        const games = gamesAt(seed, now);
        assert.ok(games.some((game) => game.actual <= now) && games.some((game) => game.actual > now), `${now}`);
        for (const game of games) {
          seen.add(game.league);
          assert.notEqual(game.home, game.away);
        }
        assert.equal(new Set(games.map((game) => game.eventId)).size, games.length);
      }
      assert.deepEqual([...seen].sort(), [...leagues].sort());
    }
  });

  it('tells of a delayed start a quarter of an hour before', () => {
    const delayed = seeds
      .flatMap((seed) => hours.flatMap((now) => gamesAt(seed, now)))
      .find((game) => game.actual !== game.scheduled);
    assert.ok(delayed);
    assert.equal(announcedStart(delayed, delayed.scheduled - 901), delayed.scheduled);
    assert.equal(announcedStart(delayed, delayed.scheduled - 900), delayed.actual);
  });

  it('is the same for the same seed and second, and another for another seed', () => {
    const body = (seed: number) => JSON.stringify(pollBody(seed, gamesAt(seed, midnight), midnight));
    assert.equal(body(1), body(1));
    assert.notEqual(body(1), body(7));
  });

  it('is quoted without a single refusal, by the poll, the images and the heartbeats', () => {
    for (const seed of someSeeds) {
      for (const now of [...hours, midnight + day]) {
        const games = gamesAt(seed, now);
        const receivedAt = now * microsPerSecond;
        const context = {
          source: 'demo',
          receivedAt,
          may: everything,
          mayBackfill: false,
          observedAt: null,
          idempotencyKey: null,
        };
        const terms = readPollTerms({ oddsFormat: null, markets: null, bookmakers: null });
        assert.ok(terms.kind !== 'invalid');
        const polled = runToEnd(adaptTheOddsApiPush(bytes(pollBody(seed, games, now)), terms, context));
        assert.ok(polled.kind === 'elements' && polled.elements.length === games.length);
        assert.deepEqual(refusalsOf(polled), []);
        for (const body of [directBody(seed, games, now), heartbeatBody(seed, games, now)])
          assert.deepEqual(refusalsOf(runToEnd(adaptNativePush(bytes(body), 'json', context))), []);
      }
    }
  });

  it('tells of its teams and their players without a single refusal, each under an id and a number of its own', () => {
    for (const seed of seeds) {
      const teams = teamsIn(hours.flatMap((now) => gamesAt(seed, now)));
      const known = {
        teams: referenceDirectory(),
        ids: new Map<string, string>(),
        playerLeagues: new Map<string, string>(),
      };
      const adapted = runToEnd(adaptReferencePush(bytes(teamsBody(teams)), everything));
      assert.ok(adapted.kind === 'elements' && adapted.elements.every(({ kind }) => kind === 'read'));
      const read = adapted.elements.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
      const identities = identifyElements('demo-direct', read, known);
      assert.ok(identities.every(({ kind }) => kind === 'identified'));
      for (const identity of identities)
        if (identity.kind === 'identified' && identity.newTeam !== null) known.teams.add(identity.newTeam);
      const references = playersPushes(seed, teams, midnight).flatMap((push) => referencesIn(push));
      assert.equal(references.filter(({ kind }) => kind === 'player').length, teams.length * 10);
      const named = identifyElements('msf', references, known);
      assert.ok(named.every(({ kind }) => kind === 'identified'));
      const ofPlayers = named.filter((_, at) => references[at]?.kind === 'player');
      assert.ok(ofPlayers.every((each) => each.kind === 'identified' && each.currentTeamId !== null));
      assert.equal(
        new Set(ofPlayers.map((each) => (each.kind === 'identified' ? each.id : ''))).size,
        ofPlayers.length,
      );
      const numbers = teams.map((team) => playersOf(seed, team).map(({ jerseyNumber }) => jerseyNumber));
      assert.ok(numbers.every((each) => new Set(each).size === each.length));
      assert.equal(new Set(teams.map((team) => `${team.league} ${feedTeam(team).id}`)).size, teams.length);
    }
  });
});

/** The observations that the gateway would make from a body. */
function adaptedOf({ route, body }: FeedPush) {
  const [, league = '', , feed = ''] = route.split('?')[0]?.split('/') ?? [];
  const game = route.includes('?game=') ? (route.split('?game=')[1] ?? null) : null;
  return runToEnd(adaptMsfBody(bytes(body), { league: league.toUpperCase() as League, feed: feed as MsfFeed, game }));
}

function referencesIn(push: FeedPush) {
  const { references, refused } = adaptedOf(push);
  assert.deepEqual([refused, references.filter(({ kind }) => kind === 'refused')], [[], []]);
  return references.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
}

describe('the bodies of the simulated source of play-by-play', () => {
  it('are taken without a single refusal, of every feed that the demo has', () => {
    const feeds = new Set<string>();
    for (const seed of someSeeds) {
      for (const now of hours.filter((_, index) => index % 3 === 0)) {
        const games = gamesAt(seed, now);
        const pushed = new Set<string>();
        for (let round = 0; round < 60; round += 1) {
          for (const push of feedPushesAt(seed, games, now, round)) {
            // In every round a game has the same body at the same moment.
            if (pushed.has(push.route)) continue;
            pushed.add(push.route);
            const { elements, refused } = adaptedOf(push);
            assert.deepEqual(refused, [], push.route);
            assert.ok(elements.length > 0);
            feeds.add(push.route.split('?')[0]?.split('/').slice(-1)[0] ?? '');
          }
        }
      }
    }
    assert.deepEqual([...feeds].sort(), ['boxscore', 'games', 'injuries', 'lineup', 'playbyplay']);
  });

  it('are of the games that are quoted: each is one game, whichever source tells of it first', () => {
    for (const seed of someSeeds) {
      // At every second hour, all games of the day, before and after their starts are announced.
      for (const now of hours.filter((_, index) => index % 2 === 0)) {
        const games = gamesAt(seed, now);
        const quoted = games.map(({ eventId, league, home, away }, at) => {
          const commenceTime = announcedStart(games[at]!, now) * microsPerSecond;
          return { by: 'event' as const, league, eventId, homeTeam: home, awayTeam: away, commenceTime };
        });
        const played = games.map((game) => referenceIn(seed, game, now));
        for (const [first, second] of [
          ['demo-odds', 'msf'],
          ['msf', 'demo-odds'],
        ] as const) {
          const references = { 'demo-odds': quoted, msf: played };
          const founded = resolvePush(first, references[first], {
            ...nothingElse,
            teams: directoryOf(games),
            games: [],
          });
          const known = founded.map((each) => (each.kind === 'refused' ? assert.fail(each.detail) : each.game));
          assert.ok(known.every(({ publicId }) => publicId !== null));
          const met = resolvePush(second, references[second], {
            ...nothingElse,
            teams: directoryOf(games),
            games: known,
          });
          assert.deepEqual(
            met.map((each) => (each.kind === 'refused' ? each.detail : `${each.kind} ${each.game.uuid}`)),
            known.map(({ uuid }) => `matched ${uuid}`),
          );
        }
      }
    }
  });

  for (const [place, league] of leagues.entries())
    it(
      `make revisions of a game of ${league}: plays that grow, three of them set right, a box score, and in the end a verified state`,
      skipFor(caseOutOfTurn(place, 2)),
      () => {
        const game = hours.flatMap((now) => gamesAt(7, now)).find((each) => each.league === league)!;
        const msf = new PureMsf();
        const kinds = new Set<string>();
        for (let now = game.actual - 120; now <= game.actual + game.length + 1_500; now += 180) {
          const at = now * microsPerSecond;
          const took = (feed: MsfFeed, body: object): void => {
            const { folded, refusals } = msf.push({
              league,
              feed,
              requested: at - 200_000,
              at,
              body: body as JsonObject,
            });
            assert.deepEqual(refusals, []);
            for (const { effects } of folded) assert.deepEqual(effects.refusals, []);
          };
          took('games', gamesBody(7, [game], now));
          if (statusAt(game, now) === 'UNPLAYED') continue;
          took('playbyplay', playbyplayBody(7, game, now));
          took('boxscore', boxscoreBody(7, game, now));
        }
        const [uuid = ''] = msf.scopes.keys();
        const plays = msf.revisionsOf('plays', uuid);
        for (const { kind } of plays) kinds.add(kind);
        assert.ok(
          plays.length > 40 && ['append', 'patch', 'replace'].every((kind) => kinds.has(kind)),
          `${league} ${plays.length}`,
        );
        assert.ok(plays.some(({ change }) => change.some(({ op }) => op === 'delete')));
        assert.equal(plays.at(-1)!.status, 'verified');
        assert.ok(
          plays.slice(1, -1).every(({ kind, changeRows }) => kind !== 'patch' || changeRows <= 40),
          league,
        );
        for (const dataset of ['game-state', 'player-stats', 'team-stats'] as const)
          assert.ok(msf.revisionsOf(dataset, uuid).length > 8, `${league} ${dataset}`);
        const [state] = msf.revisionsOf('game-state', uuid).at(-1)!.snapshot;
        const points = plays.at(-1)!.snapshot.map(({ row }) => Number(row.points ?? 0));
        if (league === 'NBA' || league === 'NFL' || league === 'NCAAM')
          assert.equal(
            points.reduce((sum, each) => sum + each, 0),
            Number(state?.row.home_score) + Number(state?.row.away_score),
          );
        assert.ok(Number(state?.row.home_score) + Number(state?.row.away_score) > 0);
        assert.equal(state?.row.played_status, 'COMPLETED');
      },
    );

  it('name who is hurt and who begins', () => {
    const games = gamesAt(7, midnight);
    const hurt = injuriesBody(7, teamsIn(games), midnight) as { players: unknown[] };
    assert.ok(hurt.players.length > 3);
    const { teamLineups } = lineupBody(7, games[0]!, midnight) as {
      teamLineups: { expected: { lineupPositions: unknown[] } }[];
    };
    assert.deepEqual(
      teamLineups.map(({ expected }) => expected.lineupPositions.length),
      [10, 10],
    );
  });
});

/** A game as its play-by-play names it when it is resolved. */
function referenceIn(seed: number, game: DemoGame, now: number): GameLookup {
  const push = {
    route: `msf/${game.league}/current/playbyplay?game=${game.feedId}`,
    body: playbyplayBody(seed, game, now),
  };
  const { id, startTime, home, away } = adaptedOf(push).elements[0]?.game ?? assert.fail('no game');
  const eventId = gameEventId(game.league, id);
  const [homeTeam, awayTeam] = [home.abbreviation ?? '', away.abbreviation ?? ''];
  return { by: 'event', league: game.league, eventId, homeTeam, awayTeam, commenceTime: startTime };
}

const nothingElse = { events: [], unbound: [], mayFound: 5_000 };

/** The teams known once the slate has named them. */
function directoryOf(games: readonly DemoGame[]): TeamDirectory {
  const directory = new TeamDirectory(referenceDirectory());
  for (const { league, name } of teamsIn(games)) {
    if (directory.find(league, name) !== null) continue;
    const appearance = appearingTeam(league, name, directory);
    directory.addAppeared(appearance.kind === 'team' ? appearance.team : assert.fail(name));
  }
  return directory;
}
