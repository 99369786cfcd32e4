// The push gateway within the whole service, in both editions: races, retries, receipts up to `applied`, and outages of what it stands on.
// Nothing acknowledged is lost, and nothing is applied twice under one key (I17; docs/operations.md#push-gateway).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import { defaultFeedQuotas } from '../../../core/limits/feed-quotas.ts';
import { defaultFeedLimits } from '../../../core/limits/token-bucket.ts';
import type { Broker } from '../../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { PushCatalog } from '../../../core/ports/catalog/pushes.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openBodyScheduler } from '../../../ingest/gateway/body-scheduler.ts';
import { openFairLog } from '../../../ingest/gateway/fair-log.ts';
import { createGateway, type Gateway } from '../../../ingest/gateway/server.ts';
import { mintFeedKey } from '../../../ops/service/new-keys.ts';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { openMemoryFeedShares } from '../../../platform/process/memory-feed-shares.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { type Edition, SetClock, startEdition } from '../../support/editions/edition.ts';
import { getJson, manifestOf, rowsOf } from '../../support/editions/published-game.ts';
import { type Setting, twoEditions } from '../../support/editions/two-editions.ts';
import { event, kindOf, quote, type Reply, send } from '../../support/http/gateway-http.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of twoEditions) {
  describe(`the gateway, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let edition: Edition;
    let key: string;
    let other: { gateway: Gateway; url: string };
    let games = 0;
    const clock = new SetClock();

    beforeAll(async () => {
      setting = await prepare();
      const { drop: _, ...options } = setting;
      edition = await startEdition({ ...options, clock });
      key = await edition.feedKey(['push', 'backfill']);
      other = await anotherGateway({});
    });
    afterAll(async () => {
      await other?.gateway.close();
      await edition?.stop();
      await setting?.drop();
    });

    /** A second gateway on the same log and database; the test replaces some of its parts. */
    async function anotherGateway(instead: { broker?: Broker; pushes?: PushCatalog }) {
      const { broker, catalogs, objects, peppers } = edition.drivers;
      const fairLog = openFairLog({
        broker: instead.broker ?? broker,
        progress: catalogs.checkpoints,
        clock: systemClock,
        log: silentLog,
      });
      const gateway = createGateway({
        ...catalogs,
        rankOf: catalogs.pushes.rankOf,
        broker,
        objects,
        peppers,
        shares: openMemoryFeedShares(defaultFeedLimits),
        quotas: defaultFeedQuotas,
        clock,
        crash: () => {},
        scheduler: openBodyScheduler(systemClock),
        fairLog,
        log: silentLog,
        newReceipt: () => `rcpt_${newUuid()}`,
        baseUrl: null,
        cutSlowReaders,
        ...instead,
      });
      return { gateway, url: (await gateway.listen('127.0.0.1', 0)).url };
    }

    /** Events of a new game, days apart from all others. */
    function newGame(): Record<string, unknown> {
      games += 1;
      const day = new Date(Date.UTC(2031, 0, 1 + 3 * games)).toISOString();
      return { ...(event().game as object), event_id: `e${games}`, commence_time: day };
    }

    const push = (body: unknown, headers: Record<string, string> = {}, url = edition.ingestUrl): Promise<Reply> =>
      send(`${url}/v1/sources/feed/quotes`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      });

    type Receipt = {
      state: string;
      counts: Record<string, number>;
      records: { index: number; game_id: string; state: string }[];
    };
    async function applied(receipt: unknown, condition: (found: Receipt) => boolean = () => true): Promise<Receipt> {
      let found: Receipt | null = null;
      await until(`receipt ${receipt} is applied`, async () => {
        const reply = await send(`${edition.ingestUrl}/v1/receipts/${receipt}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        found = reply.body as Receipt;
        return found.state === 'applied' && condition(found);
      });
      return found as unknown as Receipt;
    }

    /** The rows of the newest listed game with the start of `game`. */
    async function rowsOfGame(game: Record<string, unknown>) {
      const list = (await getJson(edition, '/v1/games?limit=10000')) as {
        data: { id: string; scheduled_start?: string }[];
      };
      const day = String(game.commence_time).slice(0, 10);
      const found = list.data.filter(({ scheduled_start }) => scheduled_start?.startsWith(day));
      assert.equal(found.length, 1, `games that start on ${day}`);
      return rowsOf(edition, await manifestOf(edition, found[0]?.id ?? ''));
    }

    it('64 pushes of one new event at once, through two gateways: one game, 64 sightings, no row lost', async () => {
      const game = newGame();
      const replies = await Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          push({ events: [event({ game, operator: `book${n}` })] }, {}, n % 2 === 0 ? edition.ingestUrl : other.url),
        ),
      );
      assert.ok(replies.every(({ status, body }) => status === 202 && body.accepted === 1));
      for (const { body } of replies) await applied(body.receipt);
      assert.equal((await rowsOfGame(game)).length, 64);
    });

    it('one key 32 times at once, through two gateways: one receipt, one application of each record', async () => {
      const game = newGame();
      const body = { events: [event({ game }), event({ game, operator: 'second' })] };
      const replies = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          push(body, { 'idempotency-key': 'at-once' }, n % 2 === 0 ? edition.ingestUrl : other.url),
        ),
      );
      const receipts = new Set(replies.map((reply) => reply.body.receipt));
      assert.ok(replies.every(({ status }) => status === 202));
      assert.equal(receipts.size, 1);
      const receipt = await applied([...receipts][0], ({ counts }) => (counts.applied ?? 0) === 2);
      assert.deepEqual([receipt.counts.applied, receipt.counts.refused], [2, 0]);
      assert.equal((await rowsOfGame(game)).length, 2);
    });

    it('a crash between produce and acknowledge, then a retry: the fold finds the duplicates', async () => {
      const game = newGame();
      const { pushes } = edition.drivers.catalogs;
      const dies: PushCatalog = { ...pushes, acknowledge: () => Promise.reject(new CatalogUnavailable('died')) };
      const dying = await anotherGateway({ pushes: dies });
      const body = { events: [event({ game }), event({ game, quotes: [quote({ price: { american: -120 } })] })] };
      const headers = { 'idempotency-key': 'crashed' };
      assert.equal((await push(body, headers, dying.url)).status, 503);
      await dying.gateway.close();
      const retried = await push(body, headers);
      assert.deepEqual([retried.status, retried.body.accepted], [202, 2]);
      const copies = `select from receipt_folds where receipt = $1 and duplicates @> int8multirange(int8range(0, 2))`;
      await until('the copies are folded', async () => {
        const { rows } = await edition.drivers.sql.query(copies, [retried.body.receipt]);
        return rows.length > 0;
      });
      const receipt = await applied(retried.body.receipt);
      assert.deepEqual(
        receipt.counts,
        { accepted: 2, applied: 2, duplicates: 0, refused: 0 },
        'each record counts once',
      );
      assert.equal((await rowsOfGame(game)).length, 2);
      const again = await push(body, headers);
      assert.deepEqual([again.body.receipt, again.body.accepted, again.body.duplicates], [retried.body.receipt, 0, 2]);
    });

    it('a key is kept 24 h: then it is free', async () => {
      const game = newGame();
      const headers = { 'idempotency-key': 'old' };
      const { sql } = edition.drivers;
      const age = (hours: string) =>
        sql.query(
          `update idempotency_keys set created_at = now() - $1::interval where key = 'sha256:' || encode(sha256('old'), 'hex')`,
          [hours],
        );
      await push({ events: [event({ game })] }, headers);
      await age('23 hours 59 minutes');
      const { status, body } = await push({ events: [] }, headers);
      assert.deepEqual([status, kindOf(body)], [400, 'idempotency-conflict']);
      await age('24 hours 1 minute');
      assert.equal((await push({ events: [] }, headers)).status, 202);
    });

    it('dead letters equal refusals, of the gateway and of the fold, each with its payload', async () => {
      const { deadLetters } = edition.drivers.catalogs;
      const list = () => deadLetters.list({ before: null, limit: 10_000, code: null, source: null });
      const before = (await list()).length;
      const game = newGame();
      const bad = event({ game, quotes: [quote({ price: { american: 1 } }), quote({ selection: 'away' })] });
      const unknown = event({ game, kind: 'delta', quotes: [quote({ selection: 'draw', state: 'withdrawn' })] });
      const { body } = await push({ events: [bad, 7, unknown] });
      assert.equal((await applied(body.receipt)).records.length, 1);
      const letters = (await list()).toReversed().slice(before);
      assert.deepEqual(letters.map(({ code, offset }) => [code, offset === null]).sort(), [
        ['bad-event', true],
        ['bad-price', true],
        ['unknown-selection', false],
      ]);
      // The fold may come before the gateway's acknowledgement, which writes the dead letters of refusals.
      const ofPrice = letters.find(({ code }) => code === 'bad-price');
      const payload = (await deadLetters.one(ofPrice?.id ?? 0))?.payload;
      assert.deepEqual(JSON.parse(Buffer.from(payload ?? []).toString()), bad);
    });

    it('5,000 quotes, and texts at the limit, go all the way', async () => {
      const game = newGame();
      const quotes = Array.from({ length: 5_000 }, (_, n) =>
        quote({ market: 'm'.repeat(64), selection: `${'s'.repeat(30)}${n}` }),
      );
      const long = event({
        game,
        operator: 'long',
        quotes: [quote({ selection: 'x'.repeat(65_000) }), quote({ selection: 'y'.repeat(65_001) })],
      });
      const { body } = await push({ events: [event({ game, quotes }), long] });
      assert.deepEqual(
        [body.accepted, (body.rejected as { code: string }[]).map(({ code }) => code)],
        [2, ['bad-quote']],
      );
      await applied(body.receipt);
      assert.equal((await rowsOfGame(game)).length, 5_001);
    });

    it('a revoked key is refused within 10 s', async () => {
      const { keys } = edition.drivers.catalogs;
      const minted = await mintFeedKey(keys, edition.drivers.peppers, unrestricted(['feed'], ['push']));
      const headers = { authorization: `Bearer ${minted.plaintext}` };
      assert.equal((await push({ events: [] }, headers)).status, 202);
      await keys.revokeFeedKey(minted.id);
      clock.set(clock.now() + 10_000_000);
      const { status, body } = await push({ events: [] }, headers);
      assert.deepEqual([status, kindOf(body)], [403, 'key-disabled']);
    });
  });
}

/**
 * Pushes before, during and after an outage of `part`; in the end everything acknowledged is applied without
 * intervention.
 */
async function surviveOutage(
  edition: Edition,
  part: { kill(): Promise<void>; restart(): Promise<void> },
): Promise<void> {
  const key = await edition.feedKey(['push']);
  const receipts: unknown[] = [];
  const push = async (operator: string): Promise<number> => {
    const { status, body, headers } = await send(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
      method: 'POST',
      body: JSON.stringify({ events: [event({ operator })] }),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    if (status === 202) receipts.push(body.receipt);
    else {
      assert.deepEqual([status, kindOf(body)], [503, 'temporarily-unavailable']);
      assert.match(headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    }
    return status;
  };
  for (let n = 0; n < 5; n += 1) assert.equal(await push(`before${n}`), 202);
  await part.kill();
  for (let n = 0; n < 3; n += 1) assert.equal(await push(`meanwhile${n}`), 503);
  await part.restart();
  await until('pushes are accepted again', async () => (await push('again')) === 202);
  for (let n = 0; n < 5; n += 1) assert.equal(await push(`after${n}`), 202);
  for (const receipt of receipts) {
    await until(`receipt ${receipt} is applied`, async () => {
      const init = { headers: { authorization: `Bearer ${key}` } };
      return (await send(`${edition.ingestUrl}/v1/receipts/${receipt}`, init)).body.state === 'applied';
    });
  }
}

describe('outages: 503 with Retry-After meanwhile, nothing acknowledged is lost, and it goes on by itself', () => {
  it('of the database', async (t) => {
    await using own = await services.own.postgres();
    if (own.skip !== false) return t.skip(own.skip);
    const database = await own.createDatabase();
    const edition = await startEdition({ environment: { DATABASE_URL: database.url } });
    try {
      await surviveOutage(edition, own);
    } finally {
      await edition.stop();
    }
  });

  it('of Kafka', skipFor(distributedSkip), async (t) => {
    await using own = await services.own.kafka();
    if (own.skip !== false) return t.skip(own.skip);
    const { url: registryUrl } = await services.registry();
    const setting = await distributedEdition(1);
    const edition = await startEdition({
      ...setting,
      openBroker: async () =>
        openKafkaBroker({ brokers: own.brokers, registry: { url: registryUrl }, topics: serviceTopics(1) }),
    });
    try {
      await surviveOutage(edition, own);
    } finally {
      await edition.stop();
      await setting.drop();
    }
  });
});
