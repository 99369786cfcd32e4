// What commits leave in the outbox reaches the topics: publications in order per game, dead letters once each, nothing while the broker is
// down, everything after, and never by two forwarders at once.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import { BrokerUnavailable, type OutgoingRecord } from '../../../core/ports/broker.ts';
import type { LeasesCatalog } from '../../../core/ports/catalog/leases.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { openLeasesCatalog } from '../../../platform/postgres/leases.ts';
import { openOutboxCatalog } from '../../../platform/postgres/outbox-catalog.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { forwardOnce, startForwarder } from '../../../projectors/jobs/forwarder.ts';
import type { PublicationRecord } from '../../../schemas/events/publications.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { openDatabase } from '../../support/services/databases.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const publication = (version: number): PublicationRecord => ({
  game_uuid: '11111111-2222-5333-8444-555555555555',
  kind: 'live',
  generation: 1,
  version,
  seq: 1,
  rows: version,
  dataset: null,
  epoch: null,
  revision: null,
});

describe('the forwarder', () => {
  it('tells each publication and dead letter in order, keeps what the broker did not take, and forgets what it told', async () => {
    const { sql } = await openDatabase();
    const [outbox, leases] = [openOutboxCatalog(sql), openLeasesCatalog(sql)];
    for (const version of [1, 2, 3]) {
      await sql.query('insert into outbox (topic, key, value) values ($1, $2, $3)', [
        topics.publications,
        'k',
        JSON.stringify(publication(version)),
      ]);
    }
    await sql.query(
      `insert into dead_letters (topic, code, detail, payload, payload_sha256) values ('sds.quotes.v1', 'bad-price', 'no price', 'x', 'y')`,
    );
    const produced: { topic: string; record: OutgoingRecord }[] = [];
    let down = true;
    const broker = {
      async produce(topic: string, records: readonly OutgoingRecord[]): Promise<void> {
        if (down) throw new BrokerUnavailable('planned outage');
        produced.push(...records.map((record) => ({ topic, record })));
      },
    };
    await assert.rejects(forwardOnce({ broker, outbox, leases }), BrokerUnavailable);
    down = false;
    assert.equal(await forwardOnce({ broker, outbox, leases }), 4);
    assert.deepEqual(
      produced.slice(0, 3).map(({ topic, record }) => [topic, record.value]),
      [1, 2, 3].map((version) => [topics.publications, publication(version)]),
    );
    assert.equal((produced[3] as { record: { value: { code: string } } }).record.value.code, 'bad-price');
    assert.equal(await forwardOnce({ broker, outbox, leases }), 0);
  });

  it('brings what quotes are folded with to the partitions of their games, in order, also beside publications that wait', async () => {
    const { sql } = await openDatabase();
    const [outbox, leases] = [openOutboxCatalog(sql), openLeasesCatalog(sql)];
    const put = (topic: string, value: object) =>
      sql.query('insert into outbox (topic, key, value) values ($1, $2, $3)', [topic, 'k', JSON.stringify(value)]);
    const game = { uuid: publication(1).game_uuid, gameId: publication(1).game_uuid, league: 'NBA' };
    const said = [{ start: { scheduled_start: 5, from_schedule: true } }, { status: { status: 'STARTED', at: 6 } }];
    const records = said.map((each) => ({ ...blankRecord(game, 'msf', 4), ...each }));
    for (const value of records) {
      await put(topics.quotes, value);
      await put(topics.publications, publication(1));
    }
    const status = { from: 'SCHEDULED', to: 'STARTED', at: 6 };
    const byHand = { ...blankObservations({ ...game, id: game.gameId }, 'service', 6), status };
    await put(topics.observations, byHand);
    const sent: { topic: string; record: OutgoingRecord }[] = [];
    const broker = {
      async produce(topic: string, outgoing: readonly OutgoingRecord[]): Promise<void> {
        sent.push(...outgoing.map((record) => ({ topic, record })));
      },
    };
    const numbers = (await outbox.quotes(2)).map(({ id }) => id);
    assert.deepEqual(
      (await outbox.quotes(1)).map(({ value }) => value),
      records.slice(0, 1),
    );
    assert.equal(await forwardOnce({ broker, outbox, leases }), 5);
    const quotes = sent.filter(({ topic }) => topic === topics.quotes);
    assert.deepEqual(
      quotes.map(({ record }) => [record.key, record.value]),
      records.map((value, index) => [game.uuid, { ...value, outbox_id: numbers[index] }]),
    );
    const observed = sent.filter(({ topic }) => topic === topics.observations);
    assert.deepEqual(
      observed.map(({ record }) => [record.key, record.value]),
      [[game.uuid, byHand]],
    );
    assert.equal(sent.length, 5);
    assert.equal(await forwardOnce({ broker, outbox, leases }), 0);
  });

  it('survives a broker that is down, and goes on by itself', async () => {
    const { sql } = await openDatabase();
    const [outbox, leases] = [openOutboxCatalog(sql), openLeasesCatalog(sql)];
    await sql.query('insert into outbox (topic, key, value) values ($1, $2, $3)', [
      topics.publications,
      'k',
      JSON.stringify(publication(1)),
    ]);
    let tries = 0;
    let produced = 0;
    const broker = {
      async produce(): Promise<void> {
        tries += 1;
        if (tries < 3) throw new BrokerUnavailable('planned outage');
        produced += 1;
      },
    };
    const stop = startForwarder({ broker, outbox, leases, clock: systemClock, log: silentLog });
    await until('the publication is told', () => produced === 1);
    await stop();
  });

  it('rests between the batches of a backlog for seven times as long as one took', async () => {
    const batch = Array.from({ length: 1_000 }, (_, id) => ({ id, value: publication(1), traceparent: null }));
    let now = 0;
    const slept: number[] = [];
    const stop = startForwarder({
      broker: {
        async produce() {
          now += 40_000;
        },
      },
      outbox: {
        quotes: async () => [],
        observations: async () => [],
        publications: async () => batch.splice(0, batch.length > 0 && slept.length < 2 ? 1_000 : 0),
        unpublishedDeadLetters: async () => [],
        markPublished: async () => {
          if (slept.length < 1)
            batch.push(...Array.from({ length: 1_000 }, (_, id) => ({ id, value: publication(2), traceparent: null })));
        },
      },
      leases: { hold: async () => true, release: async () => {} } as unknown as LeasesCatalog,
      clock: {
        now: () => now,
        async sleep(ms) {
          slept.push(ms);
          await new Promise((resolve) => setTimeout(resolve, 1));
        },
      },
      log: silentLog,
    });
    await until('it has found nothing more', () => slept.length >= 3);
    await stop();
    assert.deepEqual(slept.slice(0, 3), [280, 280, 500]);
  });

  it('puts what became visible on the topic of real Kafka', skipFor(distributedSkip), async () => {
    const own = await distributedEdition(1);
    const edition = await startEdition(own);
    try {
      const event = {
        kind: 'image',
        operator: 'x',
        game: {
          league: 'NFL',
          event_id: 'e1',
          home_team: 'PHI',
          away_team: 'DET',
          commence_time: '2026-11-17T01:20:00Z',
        },
        quotes: [
          { market: 'moneyline', selection: 'home', price: { american: -110 } },
          { market: 'moneyline', selection: 'away', price: { american: 5 } },
        ],
      };
      const response = await fetch(`${edition.ingestUrl}/v1/sources/feed/quotes`, {
        method: 'POST',
        body: JSON.stringify({ events: [event] }),
        headers: { authorization: `Bearer ${await edition.feedKey(['push'])}`, 'content-type': 'application/json' },
      });
      assert.equal(response.status, 202);
      const read = async (topic: string): Promise<unknown[]> => {
        const values: unknown[] = [];
        for (const { partition, low, high } of await edition.drivers.broker.watermarks(topic)) {
          for await (const batch of edition.drivers.broker.read(topic, partition, low, high))
            values.push(...batch.records.map((record) => record.value));
        }
        return values;
      };
      await until(
        'both are told',
        async () => (await read(topics.publications)).length >= 1 && (await read(topics.deadLetters)).length === 1,
      );
      const [first] = (await read(topics.publications)) as PublicationRecord[];
      assert.deepEqual([first?.kind, first?.rows, first?.seq], ['live', 1, 1]);
      const [letter] = (await read(topics.deadLetters)) as { code: string; source: string }[];
      assert.deepEqual([letter?.code, letter?.source], ['bad-price', 'feed']);
    } finally {
      await edition.stop();
      await own.drop();
    }
  });
});
