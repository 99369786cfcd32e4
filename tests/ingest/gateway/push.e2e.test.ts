// What the gateway does with a push, sentence by sentence of docs/operations.md#push-gateway: over real sockets, with a log and a catalog
// in memory whose troubles the test makes. Invariant I17: no acknowledged push is lost; each element is accounted for.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { event, kindOf, quote, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';

type Rejected = { index: number; pointer: string; code: string; detail: string }[];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const codesOf = (reply: Reply): unknown[] =>
  (reply.body.rejected as Rejected).map(({ index, pointer, code }) => [index, pointer, code]);
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('an accepted push', () => {
  it('is in the log when it is answered, in order, each record under its game, the start of a new game first', async () => {
    const events = [1, 2].flatMap((n) => [
      event({ game: { ...(event().game as object), event_id: `e${n}` } }),
      event({ operator: 'other', game: { ...(event().game as object), event_id: `e${n}` } }),
    ]);
    const { status, body } = await gateway.push({ events });
    assert.equal(status, 202);
    assert.deepEqual(Object.keys(body), ['receipt', 'accepted', 'duplicates', 'rejected', 'games', 'warnings']);
    assert.deepEqual([body.accepted, body.duplicates, body.rejected], [4, 0, []]);
    const values = gateway.broker.records.map(({ record }) => record.value as Record<string, unknown>);
    assert.deepEqual(
      values.map((value) => (value.start === null ? value.push_index : 'start')),
      ['start', 0, 1, 'start', 2, 3],
    );
    for (const { record } of gateway.broker.records)
      assert.equal(record.key, (record.value as { game_uuid: string }).game_uuid);
    for (const value of gateway.broker.observations()) {
      assert.deepEqual([value.push, value.source, value.received_at], [body.receipt, 'feed', gateway.clock.now()]);
    }
  });

  it('carries the rank of its source, as the catalog told it at most five seconds ago', async () => {
    const ranks = async () => {
      await gateway.push({ events: [event()] });
      return gateway.broker.observations().map(({ rank }) => rank);
    };
    const later = (micros: number) => gateway.clock.set(gateway.clock.now() + micros);
    const queries = gateway.catalogs.rankQueries;
    assert.deepEqual((await ranks()).slice(-1), [0]);
    gateway.catalogs.ranks.set('feed', -7);
    later(4_999_999);
    assert.deepEqual((await ranks()).slice(-2), [0, 0]);
    assert.equal(gateway.catalogs.rankQueries, queries + 1);
    later(1);
    assert.deepEqual((await ranks()).slice(-2), [0, -7]);
    later(5_000_000);
    gateway.catalogs.down = true;
    assert.equal((await gateway.push({ events: [event()] })).status, 503);
    gateway.catalogs.down = false;
    assert.deepEqual((await ranks()).slice(-1), [-7], 'a failure is not remembered');
  });

  it('of an empty array is 202 with accepted 0, and its receipt says applied', async () => {
    for (const path of ['quotes', 'the-odds-api-v4']) {
      const reply = await gateway.push(path === 'quotes' ? { events: [] } : [], { path: `/v1/sources/feed/${path}` });
      assert.deepEqual([reply.status, reply.body.accepted, reply.body.rejected], [202, 0, []]);
      assert.equal((await gateway.get(`/v1/receipts/${reply.body.receipt}`)).body.state, 'applied');
    }
    assert.deepEqual(gateway.broker.records, []);
  });

  it('in NDJSON counts lines that are not blank, and a broken line costs itself', async () => {
    const lines = [JSON.stringify(event()), '', '{"kind":', '  ', JSON.stringify(event({ operator: 'b' })), '\r'];
    const reply = await gateway.push(lines.join('\n'), { headers: { 'content-type': 'application/x-ndjson' } });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 2]);
    assert.deepEqual(codesOf(reply), [[1, '', 'bad-event']]);
  });
});

describe('refusals', () => {
  it('have index, pointer from the record, and code; neighbours go on; each is a dead letter with the payload', async () => {
    const bad = event({ kind: 'nothing' });
    const mixed = event({
      quotes: [quote(), quote({ selection: 'away', price: { american: 5 } }), quote(), quote({ market: 'spread' })],
    });
    const reply = await gateway.push({ events: [bad, mixed] });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 1]);
    assert.deepEqual(codesOf(reply), [
      [0, '/kind', 'bad-event'],
      [1, '/quotes/1/price', 'bad-price'],
      [1, '/quotes/2', 'duplicate-selection'],
      [1, '/quotes/3/line', 'missing-line'],
    ]);
    assert.deepEqual(
      gateway.catalogs.letters.map(({ pushIndex, pointer, code, receipt }) => [pushIndex, pointer, code, receipt]),
      codesOf(reply).map((each) => [...(each as unknown[]), reply.body.receipt]),
    );
    assert.deepEqual(
      gateway.catalogs.letters.map(({ payload }) => JSON.parse(Buffer.from(payload).toString()) as unknown),
      [bad, mixed, mixed, mixed],
    );
  });

  it('of everything are 400 with rejected, and still dead letters', async () => {
    const reply = await gateway.push({ events: [event({ kind: 'nothing' }), 7] });
    assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error']);
    assert.deepEqual(codesOf(reply), [
      [0, '/kind', 'bad-event'],
      [1, '', 'bad-event'],
    ]);
    assert.equal(gateway.catalogs.letters.length, 2);
    assert.deepEqual(gateway.broker.records, []);
  });

  it('an event of which every quote is refused is an accepted record of none', async () => {
    const reply = await gateway.push({ events: [event({ quotes: [quote({ price: {} })] })] });
    assert.deepEqual([reply.status, reply.body.accepted, codesOf(reply).length], [202, 1, 1]);
  });

  it('with a source time that stands for none keep their price: the time is absent', async () => {
    const { body } = await gateway.push({
      events: [event({ quotes: [quote({ source_timestamp: '0001-01-01T00:00:00Z' })] })],
    });
    assert.deepEqual([body.accepted, body.rejected], [1, []]);
    const [operator] = gateway.broker.observations()[0]?.observation?.operators ?? [];
    assert.deepEqual(
      operator?.quotes.map((each) => each.source_timestamp),
      [null],
    );
  });

  it('of texts that the log could not give back cost their quote; ids and markets of that kind name nothing', async () => {
    const long = 'x'.repeat(70_000);
    const digits = `1.${'0'.repeat(70_000)}`;
    const quotes = [
      quote({ player_id: long }),
      quote({ selection: long }),
      quote({ selection: 'a', player: long }),
      quote({ selection: 'b', price: { american: 100, fractional: long } }),
    ];
    const text = JSON.stringify({
      events: [event({ markets: ['moneyline', long], quotes: [...quotes, quote({ line: 0.125 })] })],
    });
    const reply = await gateway.push(text.replace('0.125', digits));
    assert.equal(reply.body.accepted, 1);
    assert.deepEqual(codesOf(reply), [
      [0, '/quotes/1/selection', 'bad-quote'],
      [0, '/quotes/2/player', 'bad-quote'],
      [0, '/quotes/4/line', 'bad-line'],
    ]);
    const said = gateway.broker.observations()[0]?.observation;
    assert.ok(JSON.stringify(said).length < 65_536);
    assert.deepEqual(said?.coverage, [{ market: 'moneyline', period: null, alternate: null }]);
    const outcomes = [
      { name: long, price: 100 },
      { name: 'A', description: long, price: 100 },
      { name: 'B', price: 100 },
    ];
    const odds = {
      id: 'o1',
      sport_key: 'americanfootball_nfl',
      home_team: 'Philadelphia Eagles',
      away_team: 'Detroit Lions',
      commence_time: '2030-11-17T01:20:00Z',
      bookmakers: [{ key: 'book', markets: [{ key: 'player_points', outcomes }] }],
    };
    const second = await gateway.push([odds], { path: '/v1/sources/feed/the-odds-api-v4' });
    assert.deepEqual(codesOf(second), [
      [0, '/bookmakers/0/markets/0/outcomes/0/name', 'bad-quote'],
      [0, '/bookmakers/0/markets/0/outcomes/1/description', 'bad-quote'],
    ]);
  });

  it('account for every element, whatever the mix: accepted and wholly refused are all, and dead letters equal refusals', async () => {
    const element = fc.oneof(
      fc.constant([event(), true] as const),
      fc.constant([event({ quotes: [quote(), quote({ price: { american: 7 } })] }), true] as const),
      fc.constant([event({ kind: 'heartbeat', quotes: [] }), true] as const),
      fc.constant([event({ operator: '' }), false] as const),
      fc.constant([event({ game: { game_id: 'NFL_NO_SUCH_20250101' } }), false] as const),
      fc.constant([event({ observed_at: 'yesterday' }), false] as const),
      fc.jsonValue().map((value) => [value, false] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(element, { minLength: 1, maxLength: 12 }), async (elements) => {
        const [letters, records] = [gateway.catalogs.letters.length, gateway.broker.observations().length];
        const reply = await gateway.push({ events: elements.map(([value]) => value) });
        const good = elements.filter(([, accepted]) => accepted).length;
        const rejected = reply.body.rejected as Rejected;
        const whole = new Set(
          rejected.filter(({ pointer }) => !pointer.startsWith('/quotes/')).map(({ index }) => index),
        );
        assert.equal(reply.status, good === 0 ? 400 : 202);
        assert.equal(good + whole.size, elements.length);
        assert.equal(reply.body.accepted ?? 0, good);
        assert.equal(gateway.catalogs.letters.length - letters, rejected.length);
        assert.equal(gateway.broker.observations().length - records, good);
        for (const index of whole) assert.equal(elements[index]?.[1], false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('an Idempotency-Key', () => {
  const body = { events: [event(), event({ operator: '!' })] };

  it('with the same body answers the first receipt, all of it duplicates, and logs nothing more', async () => {
    const first = await gateway.push(body, keyed('k'));
    const again = await gateway.push(body, keyed('k'));
    const { games: _games, warnings: _warnings, ...answer } = first.body;
    assert.deepEqual(again.body, { ...answer, accepted: 0, duplicates: 1 });
    assert.equal(again.status, 202);
    assert.equal(gateway.broker.observations().length, 1);
    assert.equal(gateway.catalogs.letters.length, 1);
  });

  it('with another body, of any kind, is 400 idempotency-conflict and nothing is logged or founded', async () => {
    await gateway.push(body, keyed('k'));
    for (const other of [{ events: [event()] }, { events: [] }, { events: [7] }, 'no JSON', '']) {
      const { status, body: document } = await gateway.push(other, keyed('k'));
      assert.deepEqual([status, kindOf(document)], [400, 'idempotency-conflict']);
    }
    assert.equal(gateway.broker.observations().length, 1);
    assert.equal(gateway.catalogs.letters.length, 1);
  });

  it('is the source’s own, and without one the same body is a new observation', async () => {
    await gateway.push(body, keyed('k'));
    const other = await gateway.push(body, { ...keyed('k'), path: '/v1/sources/other/quotes' });
    assert.equal(other.body.accepted, 1);
    await gateway.push(body);
    assert.equal((await gateway.push(body)).body.accepted, 1);
    assert.equal(gateway.broker.observations().length, 4);
  });

  it('32 times at once: one push goes into the log, the others are its duplicates', async () => {
    const opened = Promise.withResolvers<void>();
    gateway.broker.gate = opened.promise;
    const pushing = Array.from({ length: 32 }, () => gateway.push(body, keyed('k')));
    // Before these are answered, all pushes are in progress.
    for (let n = 0; n < 10; n += 1) await gateway.get('/health');
    opened.resolve();
    const replies = await Promise.all(pushing);
    assert.equal(new Set(replies.map((reply) => reply.body.receipt)).size, 1);
    assert.deepEqual(
      replies.map((reply) => reply.body.accepted as number).sort((a, b) => b - a),
      [1, ...Array.from({ length: 31 }, () => 0)],
    );
    assert.equal(gateway.broker.observations().length, 1);
    assert.equal(gateway.catalogs.letters.length, 1);
  });

  it('of a push that was refused whole is not used up: the corrected body takes it', async () => {
    for (const wrong of [{ events: [7] }, 'no JSON']) {
      assert.equal((await gateway.push(wrong, keyed('k'))).status, 400);
    }
    assert.equal((await gateway.push(body, keyed('k'))).body.accepted, 1);
  });

  it('of a push that was logged but not acknowledged: the retry goes under the same receipt and record ids', async () => {
    gateway.catalogs.acknowledgeFails = true;
    const lost = await gateway.push(body, keyed('k'));
    assert.deepEqual([lost.status, kindOf(lost.body)], [503, 'temporarily-unavailable']);
    gateway.catalogs.acknowledgeFails = false;
    const retried = await gateway.push(body, keyed('k'));
    assert.equal(retried.status, 202);
    const [first, second] = gateway.broker.observations();
    assert.equal(first?.push, retried.body.receipt);
    assert.equal(second?.push, first?.push);
    assert.equal(second?.observation?.record_id, first?.observation?.record_id);
    assert.notEqual(first?.observation?.record_id, null);
    assert.equal(gateway.catalogs.letters.length, 1);
  });

  it('of a push whose answer from the log was lost: the same, also behind a retry that was refused', async () => {
    gateway.broker.takesThenFails = true;
    assert.equal((await gateway.push(body, keyed('k'))).status, 503);
    gateway.broker.takesThenFails = false;
    gateway.catalogs.refusesEvent = (event().game as { event_id: string }).event_id;
    assert.equal((await gateway.push(body, keyed('k'))).status, 400);
    gateway.catalogs.refusesEvent = null;
    const other = await gateway.push({ events: [event({ operator: 'other' })] }, keyed('k'));
    assert.deepEqual([other.status, kindOf(other.body)], [400, 'idempotency-conflict']);
    assert.equal((await gateway.push(body, keyed('k'))).body.accepted, 1);
    const [first, second] = gateway.broker.observations();
    assert.equal(second?.observation?.record_id, first?.observation?.record_id);
  });
});

describe('receipts', () => {
  it('go from logged to applied when every record is folded, and count what became of them', async () => {
    const { body } = await gateway.push({ events: [event(), event({ operator: 'b' }), event({ operator: 'c' })] });
    const read = async () => (await gateway.get(`/v1/receipts/${body.receipt}`)).body;
    assert.deepEqual(await read(), {
      receipt: body.receipt,
      source: 'feed',
      received_at: formatMicros(gateway.clock.now()),
      state: 'logged',
      counts: { accepted: 3, applied: 0, duplicates: 0, refused: 0 },
      rejected: [],
      records: [],
    });
    const record = {
      index: 2,
      state: 'refused' as const,
      game_id: 'g',
      seq: null,
      rows: null,
      refusals: [{ code: 'conflict', pointer: '' }],
    };
    gateway.catalogs.folds.set(String(body.receipt), { applied: 1, foldedDuplicates: 1, refused: 0, records: [] });
    assert.equal((await read()).state, 'logged');
    gateway.catalogs.folds.set(String(body.receipt), {
      applied: 1,
      foldedDuplicates: 1,
      refused: 1,
      records: [record],
    });
    const applied = await read();
    assert.equal(applied.state, 'applied');
    assert.deepEqual(applied.counts, { accepted: 3, applied: 1, duplicates: 1, refused: 1 });
    assert.deepEqual(applied.records, [{ revisions: [], ...record }]);
    const refusal = '{"pointer":"","code":"conflict"}';
    const expected = `{"index":2,"state":"refused","game_id":"g","seq":null,"rows":null,"revisions":[],"refusals":[${refusal}]}`;
    assert.equal(JSON.stringify(applied.records), `[${expected}]`);
  });

  it('wait for the records that are in the log, by their index in the push', async () => {
    const events = [event(), event({ kind: 'picture' }), event({ operator: 'b' }), event({ operator: 'c-c' }), event()];
    const { body } = await gateway.push({ events });
    assert.equal(body.accepted, 3);
    assert.deepEqual(gateway.catalogs.receipts.get(String(body.receipt))?.acceptedIndexes, [0, 2, 4]);
  });

  it('of other sources, and those that never were, are 404; they need a key', async () => {
    const { body } = await gateway.push({ events: [event()] });
    const path = `/v1/receipts/${body.receipt}`;
    const other = gateway.mint(['other'], ['push', 'backfill']).plaintext;
    const own = gateway.mint(['other', 'feed'], ['push']).plaintext;
    const refused = await gateway.get(path, other);
    assert.deepEqual([refused.status, kindOf(refused.body)], [404, 'not-found']);
    assert.equal((await gateway.get(path, own)).status, 200);
    assert.equal((await gateway.get(path, 'none')).status, 401);
    assert.equal((await gateway.get('/v1/receipts/rcpt_none')).status, 404);
    assert.equal((await gateway.get('/v1/receipts/%00')).status, 404);
  });
});

describe('ticks', () => {
  const path = '/v1/sources/feed/ticks';
  it('go to the games of the source, at the time they say', async () => {
    await gateway.push({ events: [event()] });
    await gateway.push({ events: [event()] }, { path: '/v1/sources/other/quotes' });
    gateway.broker.records.length = 0;
    const reply = await gateway.push({ at: '2026-08-05T20:00:00.25Z' }, { path });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 1]);
    const ticked = gateway.broker.records[0]?.record.value as { tick: unknown };
    assert.deepEqual(ticked.tick, { at: Date.UTC(2026, 7, 5, 20) * 1000 + 250_000 });
    assert.equal(gateway.broker.records.length, 1);
  });

  it('of no time, or one before 2000 or in the future, are 400', async () => {
    const at = (micros: number) => new Date(micros / 1000).toISOString();
    const now = gateway.clock.now();
    assert.equal((await gateway.push({ at: at(now + 4_000_000) }, { path })).status, 202);
    for (const wrong of [
      {},
      { at: 5 },
      { at: null },
      { at: 'now' },
      { at: '1999-12-31T23:59:59Z' },
      { at: at(now + 7_000_000) },
      [],
      7,
      null,
      '',
    ]) {
      const reply = await gateway.push(wrong === '' ? '' : wrong, { path });
      assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error'], JSON.stringify(wrong));
    }
    for (const [wrong, why] of [
      ['0001-01-01T00:00:00Z', /before 2000-01-01/],
      ['9999-12-31T23:59:59Z', /more than 5 s after/],
    ] as const)
      assert.match(String((await gateway.push({ at: wrong }, { path })).body.detail), why);
  });
});

describe('trouble', () => {
  it('a log or a database that is down: 503 with Retry-After, nothing acknowledged; and again by itself', async () => {
    for (const part of [gateway.broker, gateway.catalogs]) {
      part.down = true;
      const reply = await gateway.push({ events: [event()] });
      assert.deepEqual([reply.status, kindOf(reply.body)], [503, 'temporarily-unavailable']);
      assert.match(reply.headers.get('retry-after') ?? '', /^[0-9]+$/);
      part.down = false;
      assert.equal((await gateway.push({ events: [event()] })).status, 202);
    }
    assert.equal(gateway.broker.observations().length, 2);
    assert.equal(gateway.catalogs.receipts.size, 2);
  });

  it('what nobody foresaw is a 500 that shows nothing of it', async () => {
    gateway.catalogs.resolve = () => Promise.reject(new TypeError('secret select at Object.ts'));
    const reply = await gateway.push({ events: [event()] });
    assert.deepEqual([reply.status, kindOf(reply.body)], [500, 'internal-error']);
  });
});

describe('backpressure', () => {
  it('pushes or bytes beyond a key’s room get a time to come back; those under way are accepted', async () => {
    await using small = Object.assign(await startGateway({ room: { pushes: 6, bytes: 2_000_000 } }), {
      async [Symbol.asyncDispose](this: TestGateway) {
        await this.close();
      },
    });
    for (const [padding, most] of [
      [0, 3],
      [600_000, 1],
    ] as const) {
      const opened = Promise.withResolvers<void>();
      small.broker.gate = opened.promise;
      const body = JSON.stringify({ events: [event()] }) + ' '.repeat(padding);
      const answered: Reply[] = [];
      const pushes = Array.from({ length: 10 }, () => small.push(body).then((reply) => void answered.push(reply)));
      await until('all but those under way are answered', () => answered.length === 10 - most, { everyMs: 5 });
      for (const reply of answered) {
        assert.deepEqual(
          [reply.status, kindOf(reply.body), reply.headers.get('retry-after')],
          [429, 'rate-limited', '1'],
        );
      }
      assert.equal((await small.get('/health')).status, 200);
      opened.resolve();
      await Promise.all(pushes);
      assert.equal(answered.filter(({ status }) => status === 202).length, most);
      assert.equal((await small.push(body)).status, 202);
    }
  });
});
