// The quotas of a feed key on a UTC day, at the gateway (docs/operations.md#feed-key-quotas): more bytes are 429 until midnight, further
// dead letters are only counted and reported, good quotes are accepted; and the use and the refusals of each key are stored.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'vitest';
import type { FeedQuotas } from '../../../core/limits/feed-quotas.ts';
import { defaultFeedQuotas, utcDayOf } from '../../../core/limits/feed-quotas.ts';
import { MemoryFeedUse } from '../../support/fakes/memory-feed-use.ts';
import { event, kindOf, quote, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';

const noon = Date.UTC(2026, 10, 22, 12) * 1_000;
const midnight = Date.UTC(2026, 10, 23) * 1_000;
const day = utcDayOf(noon);

let gateway: TestGateway;
let others: TestGateway[] = [];
afterEach(async () => {
  await Promise.all([gateway, ...others].map((each) => each?.close()));
  others = [];
});

async function start(quotas: Partial<FeedQuotas>, feedUse?: MemoryFeedUse): Promise<TestGateway> {
  const more = feedUse === undefined ? {} : { feedUse };
  const started = await startGateway({ quotas: { ...defaultFeedQuotas, ...quotas }, ...more });
  started.clock.set(noon);
  return started;
}

/** A body without events, `count` bytes long. */
const bytes = (count: number): string => `{"events":[]}${' '.repeat(count - 13)}`;
const msfPath = '/v1/sources/feed/msf/nba/2017-regular/games';
const msfGame = {
  schedule: {
    id: 42_070,
    startTime: '2026-11-22T20:00:00.000Z',
    scheduleStatus: 'NORMAL',
    playedStatus: 'UNPLAYED',
    awayTeam: { id: 1, abbreviation: 'BOS' },
    homeTeam: { id: 2, abbreviation: 'CLE' },
  },
};
const badEvents = (count: number) => Array.from({ length: count }, () => ({}));

function assertBeyond({ status, headers, body }: Reply, used: number): void {
  assert.deepEqual([status, kindOf(body)], [429, 'rate-limited']);
  assert.deepEqual(
    [body.quota, body.most, body.used, body.resets],
    ['bytes', 1_000, used, '2026-11-23T00:00:00.000000Z'],
  );
  assert.equal(headers.get('retry-after'), String(12 * 3_600));
  assert.match(String(body.detail), /may push 1000 bytes of bodies.*SDS_FEED_QUOTAS.*Nothing was accepted/);
}

/** What is stored for the first key after the gateway has ended. */
async function written(of = gateway, keyId = 'fkey_0') {
  await of.close();
  const used = (name: string) => of.feedUse.used(keyId, day, name);
  return {
    used: Object.fromEntries(['requests', 'elements', 'bytes', 'letters'].map((name) => [name, used(name)])),
    refused: of.feedUse.refused(keyId, day),
  };
}

describe('the quota of bytes', () => {
  it('refuses what is beyond it until midnight UTC, and takes what fits; another key has its own', async () => {
    gateway = await start({ bytes: 1_000 });
    const other = gateway.mint(['*'], ['push']).plaintext;
    assert.equal((await gateway.push(bytes(600))).status, 202);
    const receipts = gateway.catalogs.receipts.size;
    const headers = { 'idempotency-key': 'k' };
    assertBeyond(await gateway.push(bytes(401), { headers }), 600);
    assert.equal(gateway.catalogs.receipts.size, receipts, 'nothing is accepted');
    assert.equal((await gateway.push(bytes(400), { headers })).status, 202, 'the last byte of the quota can be used');
    assertBeyond(await gateway.push(bytes(13)), 1_000);
    assert.equal((await gateway.get('/v1/receipts/none')).status, 404, 'receipts can still be read');
    assert.equal((await gateway.push(bytes(600), { key: other })).status, 202);
    gateway.clock.set(midnight);
    assert.equal((await gateway.push(bytes(1_000))).status, 202);
    const { used, refused } = await written();
    assert.deepEqual([used.bytes, used.requests, refused], [1_000, 5, { 'quota-bytes': 2, 'not-found': 1 }]);
    assert.equal(gateway.feedUse.used('fkey_0', '2026-11-23', 'bytes'), 1_000);
  });

  it('is of inflated ones, and refuses before the body is read where its length says enough', async () => {
    gateway = await start({ bytes: 1_000 });
    const headers = { 'content-encoding': 'gzip' };
    assertBeyond(await gateway.push(gzipSync(bytes(1_001)), { headers }), 0);
    const head = `POST /v1/sources/feed/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Type: application/json\r\n`;
    assert.match(await gateway.raw(`${head}Content-Length: 1001\r\n\r\n{`), /^HTTP\/1.1 429 .*"quota":"bytes"/s);
    assert.equal((await gateway.push(gzipSync(bytes(1_000)), { headers })).status, 202);
  });

  it('is not touched by what leaves nothing behind', async () => {
    gateway = await start({ bytes: 1_000, letters: 0 });
    const headers = { 'idempotency-key': 'k' };
    const kept = JSON.stringify({ events: [event()] });
    for (const [body, status] of [
      [kept, 202],
      [kept, 202],
      ['{"events":[', 400],
      [JSON.stringify({ events: badEvents(1) }), 400],
    ] as const)
      assert.equal((await gateway.push(body, body === kept ? { headers } : {})).status, status);
    gateway.broker.down = true;
    assert.equal((await gateway.push({ events: [event()] })).status, 503);
    const { used } = await written();
    assert.equal(used.bytes, kept.length);
  });

  it('holds what is under way: of pushes at once no more are taken than fit', async () => {
    gateway = await start({ bytes: 1_000 });
    const body = JSON.stringify({ events: [event()] });
    const held = Promise.withResolvers<void>();
    gateway.broker.gate = held.promise;
    const all = Array.from({ length: 10 }, () => gateway.push(body));
    await Promise.race(all);
    held.resolve();
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
    const fit = Math.floor(1_000 / body.length);
    assert.ok(fit > 1);
    assert.deepEqual(statuses, [...Array(fit).fill(202), ...Array(10 - fit).fill(429)]);
  });
});

describe('the quota of dead letters', () => {
  it('keeps the first letters, counts the others and tells how many, and costs no good element anything', async () => {
    gateway = await start({ letters: 3 });
    const good = event({ game: { ...(event().game as object), event_id: 'good' } });
    const { status, body } = await gateway.push({ events: [...badEvents(5), good] });
    assert.deepEqual([status, body.accepted, (body.rejected as []).length, body.letters_not_kept], [202, 1, 5, 2]);
    assert.deepEqual(
      gateway.catalogs.letters.map(({ pushIndex }) => pushIndex),
      [0, 1, 2],
    );
    const whole = await gateway.push({ events: badEvents(4) });
    assert.deepEqual([whole.status, (whole.body.rejected as []).length, whole.body.letters_not_kept], [400, 4, 4]);
    const clean = await gateway.push({ events: [good] });
    assert.deepEqual([clean.status, 'letters_not_kept' in clean.body], [202, false]);
    gateway.clock.set(midnight);
    const next = await gateway.push({ events: badEvents(1) });
    assert.deepEqual([next.status, 'letters_not_kept' in next.body], [400, false]);
    assert.equal(gateway.catalogs.letters.length, 4);
    const { used, refused } = await written();
    const code = gateway.catalogs.letters[0]?.code as string;
    assert.deepEqual([used.letters, refused], [3, { [code]: 9, 'quota-letters': 6, 'validation-error': 1 }]);
  });

  it('bounds what small bodies of empty quotes make: 192 bytes each, 20,000 letters a push before', async () => {
    gateway = await start({ letters: 30_000 });
    const events = Array.from({ length: 4 }, () => event({ quotes: Array(4_750).fill({}) }));
    const body = gzipSync(JSON.stringify({ events }));
    const headers = { 'content-encoding': 'gzip' };
    for (const lettersLost of [undefined, 8_000, 19_000]) {
      const answer = await gateway.push(body, { headers });
      assert.deepEqual([answer.status, answer.body.letters_not_kept], [202, lettersLost]);
    }
    assert.equal(gateway.catalogs.letters.length, 30_000);
    const good = await gateway.push({ events: [event({ quotes: [quote(), {}] })] });
    assert.deepEqual([good.status, good.body.accepted, good.body.letters_not_kept], [202, 1, 1]);
  });

  it('is of letters of reference data and of bodies of MSF too', async () => {
    gateway = await start({ letters: 2 });
    const teams = await gateway.push({ teams: [{}, {}] }, { path: '/v1/sources/feed/reference' });
    assert.deepEqual([teams.status, teams.body.letters_not_kept], [400, undefined]);
    const msf = await gateway.push({ lastUpdatedOn: null, games: [1] }, { path: msfPath });
    assert.deepEqual([msf.status, msf.body.letters_not_kept], [400, 1]);
    assert.equal(gateway.catalogs.letters.length, 2);
  });

  it('counts the letters that a receipt keeps beside good elements, of each kind of body', async () => {
    gateway = await start({});
    const venue = { league: 'NBA', id: 'v', name: 'Arena' };
    const bodies = [
      { path: '/v1/sources/feed/quotes', body: { events: [event(), {}] } },
      { path: '/v1/sources/feed/reference', body: { venues: [venue, {}] } },
      { path: msfPath, body: { lastUpdatedOn: null, games: [msfGame, 1] } },
    ];
    for (const { path, body } of bodies) {
      const answer = await gateway.push(body, { path });
      assert.deepEqual([answer.status, answer.body.accepted], [202, 1], path);
    }
    assert.equal(gateway.catalogs.letters.length, 3);
    assert.equal((await written()).used.letters, 3);
  });

  it('counts the letters of references of a body of MSF, whatever becomes of its games', async () => {
    gateway = await start({ letters: 4 });
    gateway.catalogs.refusesEvent = 'game/NBA/42070';
    const games = [msfGame];
    const push = (ids: string[]) =>
      gateway.push(
        { lastUpdatedOn: null, games, references: { venueReferences: ids.map((id) => ({ id })) } },
        { path: msfPath },
      );
    const answers = [await push(['a', 'b', 'c', 'd']), await push(['e', 'f', 'g', 'h'])];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.letters_not_kept]),
      [
        [400, 1],
        [400, 5],
      ],
    );
    assert.equal(gateway.catalogs.letters.length, 4);
    assert.equal((await written()).used.letters, 4);
  });
});

describe('of a push that fails half-way', () => {
  const perBatch = 500;

  it('the letters count that were kept before, and its bytes with them', async () => {
    gateway = await start({});
    gateway.catalogs.buries = 1;
    const body = JSON.stringify({ events: badEvents(perBatch + 100) });
    assert.equal((await gateway.push(body)).status, 503);
    assert.equal(gateway.catalogs.letters.length, perBatch);
    const { used } = await written();
    assert.deepEqual([used.letters, used.bytes], [perBatch, body.length]);
  });

  it('the letters count that were kept beside good elements, where the receipt is not written', async () => {
    gateway = await start({});
    gateway.catalogs.acknowledgeFails = true;
    const body = JSON.stringify({ events: [event(), ...badEvents(perBatch + 100)] });
    assert.equal((await gateway.push(body)).status, 503);
    assert.equal(gateway.catalogs.letters.length, perBatch);
    gateway.catalogs.acknowledgeFails = false;
    assert.equal((await gateway.push(body)).status, 202);
    const { used } = await written();
    assert.deepEqual([used.letters, used.bytes], [2 * perBatch + 100, 2 * body.length]);
  });

  it('its bytes count once something of it is in the log', async () => {
    gateway = await start({});
    gateway.catalogs.acknowledgeFails = true;
    const refused = { schedule: { ...msfGame.schedule, id: 42_071 } };
    const venue = { id: 5, name: 'Arena' };
    const bodies = [
      { path: '/v1/sources/feed/quotes', body: { events: [event()] } },
      { path: '/v1/sources/feed/reference', body: { venues: [{ league: 'NBA', id: 'v', name: 'Arena' }] } },
      { path: msfPath, body: { lastUpdatedOn: null, games: [msfGame] } },
      // Only its venue reaches the log before the game is refused.
      { path: msfPath, body: { lastUpdatedOn: null, games: [refused], references: { venueReferences: [venue] } } },
    ];
    gateway.catalogs.refusesEvent = 'game/NBA/42071';
    gateway.catalogs.buries = 0;
    for (const { path, body } of bodies) {
      const before = gateway.broker.records.length;
      assert.equal((await gateway.push(body, { path })).status, 503);
      assert.ok(gateway.broker.records.length > before, path);
    }
    const { used } = await written();
    assert.equal(
      used.bytes,
      bodies.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0),
    );
  });

  it('nothing counts where the log has taken nothing and no letter is kept', async () => {
    gateway = await start({});
    gateway.catalogs.buries = 0;
    assert.equal((await gateway.push({ events: badEvents(5) })).status, 503);
    assert.equal((await gateway.push({ teams: [{}, {}] }, { path: '/v1/sources/feed/reference' })).status, 503);
    assert.equal((await gateway.push({ lastUpdatedOn: null, games: [1] }, { path: msfPath })).status, 503);
    gateway.broker.down = true;
    assert.equal((await gateway.push({ events: [event(), ...badEvents(3)] })).status, 503);
    gateway.broker.down = false;
    gateway.catalogs.acknowledgeFails = true;
    assert.equal((await gateway.push({ events: [] })).status, 503);
    assert.equal((await gateway.push({ venues: [] }, { path: '/v1/sources/feed/reference' })).status, 503);
    assert.equal((await gateway.push({ lastUpdatedOn: null, games: [] }, { path: msfPath })).status, 503);
    const { used } = await written();
    assert.deepEqual([used.letters, used.bytes], [0, 0]);
  });

  it('a body of MSF that another source has the word of counts while its letters are kept, and not without', async () => {
    gateway = await start({});
    gateway.catalogs.msfAuthorities.set('NBA', 'another');
    const body = JSON.stringify({ lastUpdatedOn: null, games: [msfGame] });
    for (let nth = 0; nth < 2; nth += 1) assert.equal((await gateway.push(body, { path: msfPath })).status, 400);
    assert.equal(gateway.catalogs.letters.length, 1);
    const { used } = await written();
    assert.deepEqual([used.letters, used.bytes], [1, body.length]);
  });
});

describe('what a key used', () => {
  it('is counted with what was refused of it, by code and by limit', async () => {
    gateway = await startGateway({ feedLimits: { requests: 0.4, bytes: 1e9, elements: 1e6 } });
    gateway.clock.set(noon);
    const { plaintext: key, key: minted } = gateway.mint(['feed'], ['push']);
    const twoBad = { events: [event(), ...badEvents(2)] };
    assert.equal((await gateway.push(twoBad, { key })).status, 202);
    assert.equal((await gateway.push(twoBad, { key, path: '/v1/sources/other/quotes' })).status, 403);
    assert.equal((await gateway.push('nothing', { key })).status, 400);
    for (const status of [202, 202, 429, 429])
      assert.equal((await gateway.push({ events: [event()] }, { key })).status, status);
    const { used, refused } = await written(gateway, minted.id);
    const code = gateway.catalogs.letters[0]?.code as string;
    assert.deepEqual([used.requests, used.elements, used.letters], [7, 5, 2]);
    assert.equal(used.bytes, JSON.stringify(twoBad).length + 2 * JSON.stringify({ events: [event()] }).length);
    assert.deepEqual(refused, { [code]: 2, forbidden: 1, 'validation-error': 1, 'limit-requests': 2 });
  });

  it('counts what the room refuses', async () => {
    gateway = await startGateway({ room: { pushes: 2, bytes: 1e6 } });
    gateway.clock.set(noon);
    const held = Promise.withResolvers<void>();
    gateway.broker.gate = held.promise;
    const first = gateway.push({ events: [event()] });
    const second = await until('one is refused', async () => {
      const { status } = await gateway.push({ events: [] });
      return status === 429;
    });
    held.resolve();
    assert.equal((await first).status, 202);
    void second;
    assert.ok(((await written()).refused.room ?? 0) >= 1);
  });

  it('of two gateways is one sum: each reads with its own counts what the other wrote', async () => {
    const feedUse = new MemoryFeedUse(() => noon);
    gateway = await start({ bytes: 1_000 }, feedUse);
    const other = await start({ bytes: 1_000 }, feedUse);
    others = [other];
    // Both gateways mint the same key, under one id.
    assert.equal((await other.push(bytes(13))).status, 202);
    assert.equal((await gateway.push(bytes(900))).status, 202);
    await until('the first has written', () => feedUse.used('fkey_0', day, 'bytes') >= 900);
    const before = feedUse.batches;
    await other.get('/v1/receipts/none');
    await until('the second has read', () => feedUse.batches > before);
    assertBeyond(await other.push(bytes(100)), 913);
    // A gateway that starts now knows the usage before its first push.
    const third = await start({ bytes: 1_000 }, feedUse);
    others.push(third);
    assertBeyond(await third.push(bytes(100)), 913);
  });

  it('is asked for once a batch, not with every push', async () => {
    gateway = await start({});
    for (let count = 0; count < 50; count += 1) assert.equal((await gateway.push({ events: [] })).status, 202);
    assert.ok(gateway.feedUse.batches <= 10, `${gateway.feedUse.batches} batches`);
    assert.equal((await written()).used.requests, 50);
  });

  it('is not lost where the catalog is away for a while; a key that is not known yet waits for it', async () => {
    gateway = await start({});
    gateway.feedUse.down = true;
    assert.equal((await gateway.push({ events: [] })).status, 503);
    gateway.feedUse.down = false;
    assert.equal((await gateway.push({ events: [event()] })).status, 202);
    gateway.feedUse.down = true;
    assert.equal((await gateway.push({ events: [event()] })).status, 202);
    const { batches } = gateway.feedUse;
    await until('a batch fails', () => gateway.feedUse.batches > batches);
    gateway.feedUse.down = false;
    const { used, refused } = await written();
    assert.deepEqual(used, {
      requests: 3,
      elements: 2,
      bytes: 2 * JSON.stringify({ events: [event()] }).length,
      letters: 0,
    });
    assert.deepEqual(refused, { 'temporarily-unavailable': 1 });
  });
});
