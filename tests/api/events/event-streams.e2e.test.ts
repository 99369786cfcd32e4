// Streams of events over real HTTP: docs/interface.md#events. What a stream says is compared with what the listings say.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { finalEvent, headEvent, resetEvent } from '../../../schemas/http/events.ts';
import type { BoardManifest, LiveManifest } from '../../../schemas/http/live.ts';
import type { ChangeListing, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { type FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, startApi, type TestApi, type TestOptions } from '../../support/http/api-http.ts';
import { type EventClient, openEvents, type ReadEvent } from '../../support/http/event-client.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { until } from '../../support/services/until.ts';

const game = 'MLB_STL_NYY_20260805';
const other = 'MLB_BOS_TOR_20260805';

let api: TestApi;
let log: FakeLog;
let plays: FakeStream;
let clients: EventClient[] = [];
let isClosed = false;

async function start(options: TestOptions = {}): Promise<void> {
  api = await startApi(options);
  isClosed = false;
  log = api.log(game);
  plays = api.stream(game, 'plays');
}
beforeEach(() => start());
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  if (!isClosed) await api.close();
});

async function open(query = `games=${game}`, key = api.key): Promise<EventClient> {
  const client = await openEvents(api.url, `/v1/events?${query}`, key);
  clients.push(client);
  return client;
}

const schemas = { head: headEvent, final: finalEvent, reset: resetEvent };
/** Asserts that every event fits its schema. */
function assertShapes({ events }: EventClient): void {
  for (const { event, data } of events) schemas[event as keyof typeof schemas].parse(data);
}

const of =
  (dataset: string, gameId = game) =>
  ({ data }: ReadEvent) =>
    data.dataset === dataset && data.game_id === gameId;

const quotesOf = (gameId: string) => of('sportsbook-lines', gameId);
const quotes = quotesOf(game);

async function listed<Body>(path: string): Promise<Body> {
  return (await api.get(path)).json() as Body;
}

describe('a stream of events', () => {
  it('begins with all heads, and says that it is one', async () => {
    await log.append(7);
    await plays.publish(['a=1']);
    const client = await open();
    const [live, revision] = [await client.next(quotes), await client.next(of('plays'))];
    assert.equal(client.status, 200);
    assert.equal(client.headers['content-type'], 'text/event-stream');
    assert.equal(client.headers['cache-control'], 'no-store');
    assert.equal(client.headers['content-length'], undefined);
    assert.equal(client.headers['x-service-debited'], undefined);
    assert.equal(client.retry, '1000');
    const listing = await listed<LiveManifest>(`/v1/games/${game}/sportsbook-lines/segments`);
    assert.deepEqual(live, {
      event: 'head',
      data: {
        game_id: game,
        dataset: 'sportsbook-lines',
        cursor: listing.cursor,
        rows: 7,
        board_version: '1.1',
        final: false,
      },
    });
    const snapshot = await listed<SnapshotManifest>(`/v1/games/${game}/plays/snapshot`);
    assert.deepEqual(revision, {
      event: 'head',
      data: {
        game_id: game,
        dataset: 'plays',
        cursor: snapshot.cursor,
        stream_epoch: snapshot.stream_epoch,
        revision: 1,
        final: false,
      },
    });
    assertShapes(client);
  });

  it('begins with all heads again for a client that says which event it had last: it gives events no ids', async () => {
    await log.append(7);
    await plays.publish(['a=1']);
    const first = await open();
    const heads = [await first.next(quotes), await first.next(of('plays'))];
    assert.equal(first.id, null);
    for (const id of ['1', '2:2', 'plays', 'x'.repeat(1_000)]) {
      const again = await openEvents(api.url, `/v1/events?games=${game}`, api.key, { 'last-event-id': id });
      clients.push(again);
      assert.deepEqual([await again.next(quotes), await again.next(of('plays'))], heads, id);
    }
  });

  it('sends an event for new rows, a changed board and a revision', async () => {
    await log.append(1);
    const client = await open();
    await client.next(quotes);
    await log.append(6);
    assert.deepEqual([(await client.next(quotes)).data.cursor], ['2:2']);
    await log.append(0);
    const { data } = await client.next(quotes);
    assert.deepEqual([data.cursor, data.board_version], ['2:2', '1.3']);
    const { updated_at } = await listed<BoardManifest>(`/v1/games/${game}/sportsbook-lines/board`);
    assert.equal(updated_at, '2026-08-05T20:00:03.000000Z');
    await plays.publish(['a=1']);
    await plays.publish(['b=1']);
    const moved = await client.next(({ data: { revision } }) => revision === 2);
    const after = String(moved.data.cursor).replace(/2$/, '1');
    const changes = await listed<ChangeListing>(`/v1/games/${game}/plays/changes?cursor=${after}`);
    assert.equal(changes.cursor, moved.data.cursor);
    assertShapes(client);
  });

  it('sends an event when a log is rebuilt or a stream starts over', async () => {
    await log.append(7);
    await plays.publish(['a=1']);
    const client = await open();
    await client.next(of('plays'));
    await log.rebuild(3);
    assert.deepEqual((await client.next(quotes)).event, 'reset');
    const { event, data } = await client.next(quotes);
    assert.deepEqual([event, data.cursor, data.rows], ['head', '3:3', 3]);
    plays.reset(epochNamed('B'));
    await plays.publish(['c=1']);
    assert.equal((await client.next(of('plays'))).event, 'reset');
    const head = await client.next(of('plays'));
    assert.deepEqual([head.event, head.data.stream_epoch, head.data.revision], ['head', epochNamed('B'), 1]);
    assertShapes(client);
  });

  it("ends a game's quotes with the address of its final file, also for clients that connect later", async () => {
    await log.append(7);
    const client = await open();
    await client.next(quotes);
    await landFinals(
      { objects: api.objects, artifacts: api.catalog },
      { uuid: uuidOf(game), gameId: game, league: 'MLB' },
    );
    const expected = {
      event: 'final',
      data: { game_id: game, dataset: 'sportsbook-lines', final: `/v1/games/${game}/sportsbook-lines` },
    };
    assert.deepEqual(await client.next(quotes), expected);
    assert.deepEqual(await (await open()).next(quotes), expected);
    await plays.publish(['a=1']);
    const { event, data } = await client.next(of('plays'));
    assert.deepEqual([event, data.final], ['head', true], 'a revision after it says that the quotes are final');
    assert.equal((await api.get(expected.data.final)).status, 200);
  });

  it('of a league has its open games, also those that begin later, and no others', async () => {
    await api.close();
    await start({ limits: { headsRoundMs: 50 } });
    await log.append(1);
    await api.log('NBA_BOS_NYK_20260805').append(1);
    const client = await open('league=mlb&datasets=sportsbook-lines');
    assert.equal((await client.next()).data.game_id, game);
    await api.log(other).append(2);
    const { data } = await client.next(of('sportsbook-lines', other));
    assert.deepEqual([data.rows, data.final], [2, false]);
    await log.append(1);
    assert.equal((await client.next(quotes)).data.rows, 2);
    assert.ok(client.events.every((event) => event.data.game_id !== 'NBA_BOS_NYK_20260805'));
  });

  it('of a league begins with games that became final between two streams, and omits older final ones', async () => {
    await api.close();
    await start({ limits: { headsRoundMs: 50 } });
    await log.append(1);
    await api.log(other).append(2);
    await api.log('MLB_NYM_ATL_20260805').append(2);
    const finals = { objects: api.objects, artifacts: api.catalog };
    const long = 'MLB_NYM_ATL_20260805';
    for (const gameId of [game, long]) await landFinals(finals, { uuid: uuidOf(gameId), gameId, league: 'MLB' });
    api.heads.longFinal.add(uuidOf(long));
    for (const client of [await open('league=MLB'), await open('league=MLB')]) {
      assert.equal((await client.next(quotes)).event, 'final');
      assert.equal((await client.next(of('sportsbook-lines', other))).event, 'head');
      assert.ok(client.events.every((event) => event.data.game_id !== long));
    }
  });

  it('has the datasets that were asked for', async () => {
    await log.append(1);
    await plays.publish(['a=1']);
    const [quotesOnly, playsOnly] = [
      await open(`games=${game}&datasets=sportsbook-lines`),
      await open(`games=${game.toLowerCase()},${game}&datasets=plays,injuries`),
    ];
    await log.append(1);
    await plays.publish(['b=1']);
    await quotesOnly.next(({ data }) => data.rows === 2);
    await playsOnly.next(({ data }) => data.revision === 2);
    assert.deepEqual(new Set(quotesOnly.events.map(({ data }) => data.dataset)), new Set(['sportsbook-lines']));
    assert.deepEqual(new Set(playsOnly.events.map(({ data }) => data.dataset)), new Set(['plays']));
  });

  it('refuses malformed, unknown or unserved names', async () => {
    await log.append(1);
    const many = Array.from({ length: 51 }, () => game).join(',');
    for (const query of ['', `games=${game}&league=MLB`, 'games=', `games=${many}`, 'games=a,,b', 'league=XFL', 'x=1'])
      assertProblem(await api.get(`/v1/events?${query}`), 'validation-error');
    for (const datasets of ['', 'closing-lines', 'plays,', 'Plays'])
      assertProblem(await api.get(`/v1/events?games=${game}&datasets=${datasets}`), 'validation-error');
    const unknown = assertProblem(await api.get(`/v1/events?games=${game},MLB_NYM_ATL_20260805`), 'not-found');
    assert.match(unknown.detail as string, /MLB_NYM_ATL_20260805/);
    for (const games of [game, Array.from({ length: 50 }, () => game).join()]) {
      const head = await api.get(`/v1/events?games=${games}`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length], [200, 0]);
    }
    await api.close();
    await start({ msfServing: false });
    await log.append(1);
    assertProblem(await api.get(`/v1/events?games=${game}&datasets=plays`), 'validation-error');
  });
});

describe('the history of a tier', () => {
  const old = 'MLB_STL_NYY_20260630';
  let logOfOld: FakeLog;

  beforeEach(async () => {
    api.catalog.now = Date.UTC(2026, 7, 6) * 1_000;
    api.catalog.newestSettledMonth = '2026-06';
    await log.append(1);
    logOfOld = api.log(old);
    await logOfOld.append(1);
  });

  it('holds for the games of a stream: one outside of it is refused, as on every route of the game', async () => {
    const mint = (tier: 'DEMO' | 'BETA') => api.catalog.mint(pepper, { tier });
    const [demo, beta] = [mint('DEMO'), mint('BETA')];
    for (const [key, mine, other] of [
      [demo, old, game],
      [beta, game, old],
    ] as const) {
      assertProblem(await api.get(`/v1/events?games=${other}`, { key }), 'history-restricted');
      const refused = assertProblem(await api.get(`/v1/events?games=${mine},${other}`, { key }), 'history-restricted');
      const own = assertProblem(await api.get(`/v1/games/${other}`, { key }), 'history-restricted');
      assert.equal(refused.detail, own.detail);
      await (await open(`games=${mine}`, key)).next(quotesOf(mine));
    }
  });

  it('holds for the stream of a league, which has the games of these days', async () => {
    for (const [tier, status] of [
      ['DEMO', 403],
      ['BETA', 200],
      ['STARTER', 200],
    ] as const) {
      const client = await open('league=MLB', api.catalog.mint(pepper, { tier }));
      assert.equal(client.status, status, tier);
    }
  });

  it("holds for it also while another key's stream names an older game of the league", async () => {
    api.heads.otherDays.add(uuidOf(old));
    const named = await open(`games=${old}`);
    await named.next(quotesOf(old));
    const beta = api.catalog.mint(pepper, { tier: 'BETA' });
    const client = await open('league=MLB', beta);
    await client.next(quotes);
    await logOfOld.append(1);
    await named.next(({ data }) => data.rows === 2);
    await log.append(1);
    await client.next(({ data }) => data.rows === 2);
    assert.deepEqual(new Set(client.events.map(({ data }) => data.game_id)), new Set([game]));
  });
});

describe('an instance', () => {
  it('queries the catalog once for any number of followers', async () => {
    await log.append(1);
    const { calls } = api.heads;
    const first = await open();
    await first.next(quotes);
    const before = calls.heads;
    const all = await Promise.all(Array.from({ length: 40 }, () => open()));
    for (const client of all) await client.next(quotes);
    assert.ok(calls.heads - before <= 2);
    await log.append(1);
    for (const client of all) await client.next(({ data }) => data.rows === 2);
    assert.ok(calls.heads - before <= 5);
  });

  it('without notices, or without the catalog for a while, still sends every event', async () => {
    await api.close();
    await start({ limits: { headsRoundMs: 50 } });
    await log.append(1);
    const client = await open();
    await client.next(quotes);
    api.catalog.announcing = false;
    await log.append(1);
    await client.next(({ data }) => data.rows === 2);
    api.catalog.announcing = true;
    api.catalog.state = 'down';
    await log.append(1);
    api.catalog.state = 'up';
    await client.next(({ data }) => data.rows === 3);
  });

  it('limits the streams of a key, and those of all keys together', async () => {
    await api.close();
    await start({ limits: { eventStreamsOfKey: 2, eventStreams: 3 } });
    await log.append(1);
    const path = `/v1/events?games=${game}`;
    const [one] = [await open(), await open()];
    const refused = await api.get(path);
    assertProblem(refused, 'rate-limited');
    assert.equal(refused.headers['retry-after'], '10');
    const another = () => api.catalog.mint(pepper);
    await open(undefined, another());
    assertProblem(await api.get(path, { key: another() }), 'temporarily-unavailable');
    one.close();
    // The server notices it some time later.
    await until('a place is free', async () => (await api.get(path, { method: 'HEAD' })).status === 200);
    const client = await open();
    assert.equal((await client.next(quotes)).data.rows, 1);
  });

  it('counts a stream as one request, however long it is open', async () => {
    await api.close();
    await start({ rateLimits: { PRO: 100 }, limits: { heartbeatMs: 60 } });
    await log.append(1);
    const left = async () => Number((await api.get('/v1/leagues')).headers['ratelimit-remaining']);
    const before = await left();
    const client = await open();
    await client.until(() => client.comments > 2);
    await log.append(1);
    await client.next(({ data }) => data.rows === 2);
    assert.equal(before - (await left()), 2);
  });

  it('keeps these limits when many clients connect at once', async () => {
    await api.close();
    await start({ limits: { eventStreamsOfKey: 2 } });
    await log.append(1);
    await api.get('/v1/leagues');
    // All have passed the check of their key before the first one knows its games.
    let release = () => {};
    api.catalog.state = new Promise((resolve) => {
      release = resolve;
    });
    const asked = Promise.all(Array.from({ length: 12 }, () => open()));
    for (let turn = 0; turn < 10; turn += 1) await api.get('/health', { key: null });
    release();
    const statuses = (await asked).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 2, statuses.join());
    assert.ok(statuses.every((status) => status === 200 || status === 429));
  });

  it('gives back the place of a stream that was never opened', async () => {
    await api.close();
    await start({ limits: { eventStreamsOfKey: 1 } });
    await log.append(1);
    const path = `/v1/events?games=${game}`;
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal((await api.get(path, { method: 'HEAD' })).status, 200);
      assertProblem(await api.get(`${path},MLB_NYM_ATL_20260805`), 'not-found');
    }
    assert.equal((await (await open()).next(quotes)).data.rows, 1);
  });

  it('ends the streams of a key that is revoked, and of an account without a subscription', async () => {
    for (const change of [
      { state: 'revoked' },
      { state: 'suspended' },
      { state: 'throttled' },
      { entitled: false },
    ] as const) {
      await api.close();
      await start({ limits: { heartbeatMs: 60, keyFresh: 1, keyStale: 1 } });
      await log.append(1);
      const [ended, other] = [await open(), await open(undefined, api.catalog.mint(pepper))];
      await ended.until(() => ended.comments > 0);
      const [first] = api.catalog.keys;
      if (first !== undefined) first.key = { ...first.key, ...change };
      await ended.until(() => ended.isEnded);
      const before = other.comments;
      await other.until(() => other.comments > before + 1);
      assert.equal(other.isEnded, false, 'that of another key goes on');
    }
  });

  it('ends no stream because the catalog is down', async () => {
    await api.close();
    await start({ limits: { heartbeatMs: 60, keyFresh: 1, keyStale: 1, keyOutage: 1 } });
    await log.append(1);
    const client = await open();
    await client.until(() => client.comments > 0);
    api.catalog.state = 'down';
    const before = client.comments;
    await client.until(() => client.comments > before + 3);
    api.catalog.state = 'up';
    await log.append(1);
    await client.next(({ data }) => data.rows === 2);
  });

  it('sends a comment at intervals, and ends a stream after its longest time', async () => {
    await api.close();
    await start({ limits: { heartbeatMs: 60, eventStreamLifeMs: { least: 400, most: 500 } } });
    await log.append(1);
    const client = await open();
    await client.until(() => client.isEnded);
    assert.ok(client.comments > 0, 'a comment');
    assert.equal(client.events.length, 1, 'what did not move is not said again');
    await (await open()).next(quotes);
  });

  it('ends all streams when it stops', async () => {
    await log.append(1);
    const client = await open();
    await client.next(quotes);
    const began = ownMs();
    isClosed = true;
    await api.close();
    await client.until(() => client.isEnded);
    assert.ok(ownMs() - began < 3_000);
  });
});
