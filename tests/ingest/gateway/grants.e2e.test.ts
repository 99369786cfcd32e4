// What a feed key may do at the gateway, over real sockets (docs/operations.md#push-gateway): each route takes its scope; what a key may
// not push is refused by name, kept as a dead letter, and does not affect the rest of the push.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { type FeedScope, feedScopes } from '../../../core/ports/catalog/keys.ts';
import { routes } from '../../../ingest/gateway/routes.ts';
import type { GamesRecord } from '../../../schemas/events/games.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { bodyOf, wholeBodies } from '../../support/builders/msf-bodies.ts';
import { event, kindOf, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

type Rejected = { index: number; pointer: string; code: string; detail: string }[];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const codesOf = ({ body }: Reply): unknown[] =>
  (body.rejected as Rejected).map(({ index, pointer, code }) => [index, pointer, code]);
const lettersOf = () => gateway.catalogs.letters.map(({ code, pointer }) => [code, pointer]);

describe('a scope', () => {
  const at = '2026-01-01T00:00:00Z';
  /** Every route that takes a body: its path below the source, its scope, a body. */
  const table: readonly (readonly [string, FeedScope, unknown])[] = [
    ['quotes', 'push', { events: [] }],
    ['the-odds-api-v4', 'push', []],
    ['reference', 'reference', { teams: [] }],
    ['msf/nba/current/games', 'msf', bodyOf(wholeBodies.games)],
    ['msf/nba/current/odds_gamelines', 'msf', { lastUpdatedOn: at, gameLines: [] }],
    ['ticks', 'backfill', { at }],
  ];
  const sets = Array.from({ length: 2 ** feedScopes.length }, (_, bits) =>
    feedScopes.filter((_, index) => (bits >> index) % 2 === 1),
  );

  it('is what each route takes: all routes with all sets of scopes, with and without a time of their own', async () => {
    const known = routes.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/')[4]);
    assert.deepEqual(new Set(known), new Set(table.map(([path]) => path.split('/')[0])));
    for (const scopes of sets) {
      const { plaintext: key } = gateway.mint(['feed'], scopes);
      for (const [path, scope, body] of table) {
        for (const headers of [{}, { 'x-observed-at': at }]) {
          const timed = 'x-observed-at' in headers && path !== 'ticks';
          const missing = [scope, ...(timed ? ['backfill' as const] : [])].find((each) => !scopes.includes(each));
          const reply = await gateway.push(body, { key, path: `/v1/sources/feed/${path}`, headers });
          const shown = JSON.stringify([scopes, path, headers, reply.body]);
          if (missing === undefined) {
            assert.equal(reply.status, 202, shown);
            continue;
          }
          assert.deepEqual([reply.status, kindOf(reply.body)], [403, 'forbidden'], shown);
          const detail = String(reply.body.detail);
          assert.ok(detail.includes(`needs ${missing}`), shown);
          for (const has of scopes) assert.ok(detail.includes(has), shown);
          assert.match(detail, /sds feed-keys mint --source feed --scope /);
        }
      }
      const { plaintext: foreign } = gateway.mint(['other', 'third'], scopes);
      for (const [path, , body] of table) {
        const { body: refused } = await gateway.push(body, { key: foreign, path: `/v1/sources/feed/${path}` });
        assert.equal(kindOf(refused), 'forbidden');
        assert.match(String(refused.detail), /may push as other and third, not as feed/);
      }
    }
  });

  it('says that a header of its own time needs backfill, in the words of the header', async () => {
    const { plaintext: key } = gateway.mint(['feed'], ['push']);
    const { body } = await gateway.push({ events: [] }, { key, headers: { 'x-observed-at': at } });
    assert.match(String(body.detail), /^This key has the scope push; X-Observed-At needs backfill\./);
  });
});

describe('a name of ids', () => {
  it('is no source: what the service names cannot be pushed under its ids, and what MSF names only by keys that may push its bodies', async () => {
    const game = { ...(event().game as object), event_id: 'game/NBA/42070' };
    const forbidden = async (path: string, body: unknown, key?: string) => {
      const reply = await gateway.push(body, { path: `/v1/sources/${path}`, ...(key === undefined ? {} : { key }) });
      assert.deepEqual([reply.status, kindOf(reply.body)], [403, 'forbidden'], path);
      assert.match(String(reply.body.detail), /another name/);
    };
    const { plaintext: ofQuotes } = gateway.mint(['*'], ['push', 'reference']);
    for (const [source, key] of [['msf', ofQuotes], ['league'], ['team']] as const) {
      await forbidden(`${source}/quotes`, { events: [event({ game })] }, key);
      await forbidden(`${source}/the-odds-api-v4`, [], key);
      await forbidden(`${source}/reference`, { players: [{ id: '1', league: 'NBA', last_name: 'X' }] }, key);
    }
    for (const source of ['league', 'team'])
      await forbidden(`${source}/msf/nba/current/games`, bodyOf(wholeBodies.games));
    assert.deepEqual(gateway.broker.records, []);
    const own = await gateway.push(bodyOf(wholeBodies.games), { path: '/v1/sources/msf/msf/nba/current/games' });
    assert.equal(own.status, 202);
  });
});

describe('a key of some leagues', () => {
  const game = (league: string, id: string) => ({ ...(event().game as object), league, event_id: id });

  it('has events of others refused, before anything is founded for them', async () => {
    const { plaintext: key } = gateway.mint(['feed'], ['push'], { leagues: ['NBA', 'NFL'] });
    gateway.catalogs.gamesById.set('g_mlb', 'MLB').set('g_nfl', 'NFL');
    const events = [
      event({ game: game('NFL', 'e1') }),
      event({ game: game('MLB', 'e2'), operator: '?' }),
      event({ game: { game_id: 'g_mlb' } }),
      event({ game: { game_id: 'g_mlb' }, operator: '?', observed_at: 'noon' }),
      event({ game: { game_id: 'g_nfl' } }),
      event({ game: { game_id: 'none' } }),
      event({ game: game('MLB', 'e3'), kind: 'poem' }),
    ];
    const reply = await gateway.push({ events }, { key });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 2]);
    const expected = [
      [1, '/game/league', 'forbidden-league'],
      [2, '/game/game_id', 'forbidden-league'],
      [3, '/game/game_id', 'forbidden-league'],
      [5, '/game/game_id', 'bad-event'],
      [6, '/kind', 'bad-event'],
    ];
    assert.deepEqual(codesOf(reply), expected);
    assert.deepEqual(
      lettersOf(),
      expected.map(([, pointer, code]) => [code, pointer]),
    );
    assert.match(
      (reply.body.rejected as Rejected)[0]!.detail,
      /may speak of NBA and NFL, not of MLB: mint one with --leagues/,
    );
    assert.deepEqual([...(await gateway.catalogs.gamesOfEvents('feed', ['e1', 'e2', 'e3'])).keys()], ['e1']);
    assert.deepEqual(
      gateway.broker.observations().map(({ league }) => league),
      ['NFL', 'NFL'],
    );
  });

  it('has a push of nothing else answered with 400, and its dead letters', async () => {
    const { plaintext: key } = gateway.mint(['feed'], ['push'], { leagues: ['NBA'] });
    const reply = await gateway.push({ events: [event()] }, { key });
    assert.deepEqual([reply.status, codesOf(reply)], [400, [[0, '/game/league', 'forbidden-league']]]);
    assert.deepEqual(lettersOf(), [['forbidden-league', '/game/league']]);
    assert.deepEqual(gateway.broker.records, []);
  });

  it('has polls, reference data, ticks and bodies of MSF held to them', async () => {
    const { plaintext: key } = gateway.mint(['feed'], feedScopes, { leagues: ['NFL'] });
    const polled = (sport: string, id: string) => ({
      id,
      sport_key: sport,
      home_team: 'A',
      away_team: 'B',
      commence_time: '2030-01-01T00:00:00Z',
      bookmakers: [],
    });
    const poll = [polled('baseball_mlb', 'm'), polled('americanfootball_nfl', 'n'), polled('cricket', 'c')];
    assert.deepEqual(codesOf(await gateway.push(poll, { key, path: '/v1/sources/feed/the-odds-api-v4' })), [
      [0, '/sport_key', 'forbidden-league'],
      [2, '/sport_key', 'bad-event'],
    ]);
    const players = ['NFL', 'nba', 'NFL'].map((league, id) => ({ id: `${id}`, league, last_name: 'P' }));
    assert.deepEqual(codesOf(await gateway.push({ players }, { key, path: '/v1/sources/feed/reference' })), [
      [1, '/league', 'forbidden-league'],
    ]);
    assert.deepEqual(
      gateway.broker.valuesOf<GamesRecord>(topics.games).map(({ league }) => league),
      ['NFL', 'NFL'],
    );
    // In the fake catalog every game open for ticks is an NFL game.
    const tick = async (of: string) =>
      (await gateway.push({ at: '2026-01-01T00:00:00Z' }, { key: of, path: '/v1/sources/feed/ticks' })).body.accepted;
    assert.equal(await tick(key), 1);
    assert.equal(await tick(gateway.mint(['feed'], ['backfill'], { leagues: ['MLB'] }).plaintext), 0);

    const before = gateway.broker.records.length;
    const msf = await gateway.push(bodyOf(wholeBodies.games), { key, path: '/v1/sources/feed/msf/nba/current/games' });
    assert.deepEqual([msf.status, codesOf(msf)], [400, [[0, '/games/0/schedule', 'forbidden-league']]]);
    const empty = await gateway.push(
      { ...bodyOf({ games: [] }), references: { teamReferences: [{ id: 501, name: 'Forged', abbreviation: 'BOS' }] } },
      { key, path: '/v1/sources/feed/msf/nba/current/games' },
    );
    assert.deepEqual([empty.status, codesOf(empty)], [400, [[0, '', 'forbidden-league']]]);
    assert.equal(gateway.broker.records.length, before, 'none of it is logged, references included');
  });
});

describe('a key of some operators', () => {
  const bookmaker = (key: string) => ({
    key,
    markets: [{ key: 'h2h', outcomes: [{ name: 'A', price: -110 }] }],
  });
  const element = (...keys: string[]) => ({
    id: 'o1',
    sport_key: 'americanfootball_nfl',
    home_team: 'A',
    away_team: 'B',
    commence_time: '2030-01-01T00:00:00Z',
    bookmakers: keys.map(bookmaker),
  });
  const poll = (key: string, body: unknown, query = '') =>
    gateway.push(body, { key, path: `/v1/sources/feed/the-odds-api-v4${query}` });

  it('has events of others refused whole', async () => {
    const { plaintext: key } = gateway.mint(['feed'], ['push'], { operators: ['BOOK', 'B2'] });
    const events = [event(), event({ operator: 'Other', observed_at: 'noon' }), event({ operator: 'b2' })];
    const reply = await gateway.push({ events }, { key });
    assert.deepEqual([reply.body.accepted, codesOf(reply)], [2, [[1, '/operator', 'forbidden-operator']]]);
    assert.match((reply.body.rejected as Rejected)[0]!.detail, /may speak of BOOK and B2, not of OTHER/);
  });

  it('has their entries left out of an image, each by name, and speaks of none but its own', async () => {
    const { plaintext: key } = gateway.mint(['feed'], ['push'], { operators: ['AA', 'BB'] });
    const reply = await poll(key, [element('aa', 'cc', 'AA', '?', 'cc')]);
    assert.deepEqual([reply.status, reply.body.accepted], [202, 1]);
    assert.deepEqual(codesOf(reply), [
      [0, '/bookmakers/1/key', 'forbidden-operator'],
      [0, '/bookmakers/2/markets/0/outcomes/0', 'duplicate-selection'],
      [0, '/bookmakers/3/key', 'bad-operator'],
      [0, '/bookmakers/4/key', 'forbidden-operator'],
    ]);
    const covered = async (query: string) => {
      await poll(key, [element('aa')], query);
      return gateway.broker.observations().at(-1)?.observation?.covered_operators;
    };
    const [first] = gateway.broker.observations();
    assert.deepEqual(
      first?.observation?.operators.map(({ operator }) => operator),
      ['AA'],
    );
    assert.deepEqual(
      first?.observation?.covered_operators,
      ['AA', 'BB'],
      'an operator that was not polled is not absent',
    );
    assert.deepEqual(await covered('?bookmakers=bb,cc'), ['BB']);
    assert.deepEqual(await covered('?bookmakers=cc'), []);
  });
});
