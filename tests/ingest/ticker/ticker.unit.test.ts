// The ticker (docs/quotes.md#ticks): one at a time by its lease, one tick a second to each partition that is due, a missed second stays
// missed, and failures of the log or the database do not end it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { BrokerUnavailable } from '../../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import { startTicker, tickOnce } from '../../../ingest/ticker/ticker.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { FakeLogBroker } from '../../support/fakes/gateway-fakes.ts';

const second = 1_000_000;
const start = Date.UTC(2026, 7, 5, 20) * 1000;
const scope = { scopeUuid: '00000000-0000-5000-8000-00000000000a', scopeId: 'NBA', league: 'NBA' as const };

/** A clock that advances only when the test says so. */
class SteppedClock implements Clock {
  time = start;
  #sleeping: { until: number; wake: () => void }[] = [];
  now = (): number => this.time;
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    assert.ok(ms > 0 && ms <= 1_000, `sleeps ${ms} ms`);
    return new Promise((resolve) => {
      this.#sleeping.push({ until: this.time + ms * 1000, wake: resolve });
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  /** Advances by `micros`, wakes sleepers that are due, and lets everything run that can. */
  async pass(micros: number): Promise<void> {
    this.time += micros;
    const due = this.#sleeping.filter(({ until }) => until <= this.time);
    this.#sleeping = this.#sleeping.filter(({ until }) => until > this.time);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A lease of one holder, which expires five seconds after it was last taken. */
class Lease {
  #holder: string | null = null;
  #until = 0;
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  take(name: string): boolean {
    if (this.#holder !== null && this.#holder !== name && this.#until > this.#clock.now()) return false;
    this.#holder = name;
    this.#until = this.#clock.now() + 5 * second;
    return true;
  }
  giveUp(name: string): void {
    if (this.#holder === name) this.#holder = null;
  }
}

function stage() {
  const clock = new SteppedClock();
  const broker = new FakeLogBroker();
  const lease = new Lease(clock);
  const state = { partitions: [3], scopes: [] as (typeof scope)[], catalogDown: false };
  const leases = (name: string) => ({
    hold: async () => {
      if (state.catalogDown) throw new CatalogUnavailable('down');
      return lease.take(name);
    },
    release: async () => {
      if (state.catalogDown) throw new CatalogUnavailable('down');
      lease.giveUp(name);
    },
    worked: async () => void worked.push(clock.now() - start),
  });
  const worked: number[] = [];
  const live = { tickingPartitions: async () => state.partitions };
  const msf = { tickingScopes: async () => state.scopes };
  const ticker = (name: string) => startTicker({ broker, live, msf, leases: leases(name), clock, log: silentLog });
  const times = (topic: string) =>
    broker.valuesOf<QuotesRecord | ObservationsRecord>(topic).map(({ tick }) => (tick?.at ?? 0) - start);
  return {
    clock,
    broker,
    state,
    live,
    msf,
    ticker,
    /** The times at which it noted that its work was done. */
    worked,
    times: () => times(topics.quotes),
    scopeTimes: () => times(topics.observations),
  };
}

describe('the ticker', () => {
  it('ticks each partition once a second, at the whole second, under the nil UUID', async () => {
    const { clock, broker, state, ticker, times } = stage();
    state.partitions = [0, 5];
    clock.time += 300_000;
    const stop = ticker('a');
    await clock.pass(0);
    await clock.pass(700_000);
    await clock.pass(second);
    await stop();
    assert.deepEqual(times(), [300_000, 300_000, second, second, 2 * second, 2 * second]);
    for (const { topic, record } of broker.records) {
      const value = record.value as QuotesRecord;
      assert.equal(topic, 'sds.quotes.v1');
      assert.deepEqual([record.key, value.game_uuid], [nilUuid, nilUuid]);
      assert.equal(recordRefusal(record.key, value), null);
    }
    assert.deepEqual(
      broker.records.map(({ record }) => record.partition),
      [0, 5, 0, 5, 0, 5],
    );
  });

  it('writes nothing while no partition is due', async () => {
    const { broker, state, live, clock } = stage();
    state.partitions = [];
    broker.down = true;
    assert.equal(await tickOnce({ broker, live, clock }), 0);
  });

  it('works one at a time; the other takes over where the first stops', async () => {
    const { clock, ticker, times } = stage();
    const stopFirst = ticker('a');
    const stopSecond = ticker('b');
    await clock.pass(0);
    for (let n = 0; n < 3; n += 1) await clock.pass(second);
    assert.deepEqual(
      times(),
      [0, 1, 2, 3].map((n) => n * second),
    );
    await stopFirst();
    await clock.pass(second);
    await stopSecond();
    assert.deepEqual(
      times(),
      [0, 1, 2, 3, 4].map((n) => n * second),
    );
  });

  it('the other takes over when the lease of one that could not give it up has run out', async () => {
    const { clock, state, ticker, times } = stage();
    const stopFirst = ticker('a');
    const stopSecond = ticker('b');
    await clock.pass(0);
    state.catalogDown = true;
    await stopFirst();
    state.catalogDown = false;
    for (let n = 0; n < 6; n += 1) await clock.pass(second);
    await stopSecond();
    assert.deepEqual(
      times(),
      [0, 5, 6].map((n) => n * second),
    );
  });

  it('notes each second that it has looked, also where no partition is due, and none in which the log took no tick', async () => {
    const { clock, broker, state, ticker, worked } = stage();
    const stop = ticker('a');
    await clock.pass(0);
    broker.down = true;
    await clock.pass(second);
    state.partitions = [];
    await clock.pass(second);
    await stop();
    assert.deepEqual(worked, [0, 2 * second]);
  });

  it('misses a second that it slept through, and repeats none', async () => {
    const { clock, ticker, times } = stage();
    const stop = ticker('a');
    await clock.pass(0);
    await clock.pass(7 * second + 250_000);
    await clock.pass(750_000);
    await stop();
    assert.deepEqual(times(), [0, 7 * second + 250_000, 8 * second]);
  });

  it('goes on by itself after an outage of the log, and of the database', async () => {
    const { clock, broker, state, ticker, times } = stage();
    const stop = ticker('a');
    await clock.pass(0);
    broker.down = true;
    await clock.pass(second);
    broker.down = false;
    state.catalogDown = true;
    await clock.pass(second);
    state.catalogDown = false;
    await clock.pass(second);
    await stop();
    assert.deepEqual(times(), [0, 3 * second]);
  });

  it('ticks each scope of MSF once a minute, under the scope’s key, by the clock and not by its own start', async () => {
    const { clock, broker, state, ticker, scopeTimes } = stage();
    state.partitions = [];
    const other = { ...scope, scopeUuid: '00000000-0000-5000-8000-00000000000b', scopeId: 'NBA_BOS_CLE_20260109' };
    state.scopes = [scope, other];
    clock.time += 57 * second;
    const stop = ticker('a');
    await clock.pass(0);
    for (let n = 0; n < 65; n += 1) await clock.pass(second);
    await stop();
    assert.deepEqual(
      scopeTimes(),
      [57, 57, 60, 60, 120, 120].map((n) => n * second),
    );
    for (const { topic, record } of broker.records) {
      const value = record.value as ObservationsRecord;
      assert.equal(topic, topics.observations);
      assert.equal(record.key, value.scope_uuid);
      assert.deepEqual([value.observation, value.reset, value.push, value.source], [null, null, null, '']);
    }
  });

  it('makes up within the minute for a tick of scopes that the log did not take', async () => {
    const { clock, broker, state, ticker, scopeTimes } = stage();
    state.partitions = [];
    state.scopes = [scope];
    broker.down = true;
    const stop = ticker('a');
    await clock.pass(0);
    await clock.pass(second);
    broker.down = false;
    await clock.pass(second);
    await clock.pass(second);
    await stop();
    assert.deepEqual(scopeTimes(), [2 * second]);
  });

  it('is stopped at once while it sleeps, and ticks no more', async () => {
    const { clock, ticker, times } = stage();
    const stop = ticker('a');
    await clock.pass(0);
    await stop();
    await clock.pass(3 * second);
    assert.deepEqual(times(), [0]);
  });

  it('a defect is no outage: it is not swallowed', async () => {
    const { clock, broker, msf } = stage();
    const live = { tickingPartitions: () => Promise.reject(new TypeError('a defect')) };
    const leases = { hold: async () => true, release: async () => {}, worked: async () => {} };
    await assert.rejects(startTicker({ broker, live, msf, leases, clock, log: silentLog })(), TypeError);
  });
});

it('BrokerUnavailable is what the fake log says', async () => {
  const broker = new FakeLogBroker();
  broker.down = true;
  await assert.rejects(broker.produce('t', []), BrokerUnavailable);
});
