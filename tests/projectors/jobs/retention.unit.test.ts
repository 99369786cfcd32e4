// Which records the log may delete, against a log and a catalog given in the test.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Forgettable } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Micros } from '../../../core/units.ts';
import { forgetExpired, type RetentionTools, startRetention } from '../../../projectors/jobs/retention.ts';
import { clockSlack } from '../../../projectors/worker/kept-log.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { SetClock } from '../../support/editions/edition.ts';
import { until } from '../../support/services/until.ts';

const day: Micros = 24 * 3_600 * 1_000_000;
const now: Micros = 1_000 * day;

type Asked = Forgettable & { topic: string; partition: number };

/**
 * Partition 0 of each topic holds [100, 900), all of it old unless `youngFrom` is given. Records the steps that
 * `forget` is asked for.
 */
function world(facts: {
  foldedFrom?: number;
  youngFrom?: number;
  game?: { start: Micros; created: Micros };
  steps?: number;
  held?: boolean;
}) {
  const asked: Asked[] = [];
  const tools: RetentionTools = {
    async forget(topic, partition, what) {
      asked.push({ topic, partition, ...what });
      return { more: asked.filter((each) => each.topic === topic).length < (facts.steps ?? 1) };
    },
    broker: {
      watermarks: async () => [{ partition: 0, low: 100, high: 900 }],
      offsetAt: async () => facts.youngFrom ?? 900,
    },
    catalog: {
      foldedFrom: async () => new Map(facts.foldedFrom === undefined ? [] : [[0, facts.foldedFrom]]),
      async oldestGame(startingFrom, from) {
        const { game } = facts;
        return game !== undefined && game.start >= startingFrom && game.created >= from ? game.created : null;
      },
    },
    leases: { hold: async () => facts.held !== false },
    live: { now: async () => now },
    clock: new SetClock(),
    log: silentLog,
  };
  return { tools, asked, of: (topic: string) => asked.filter((each) => each.topic === topic) };
}

async function quotesAsked(facts: Parameters<typeof world>[0]): Promise<Forgettable | null> {
  const { tools, of } = world(facts);
  await forgetExpired(tools, new AbortController().signal);
  const [first] = of(topics.quotes);
  return first === undefined ? null : { before: first.before, below: first.below };
}

describe('the retention of the log', () => {
  it('is two weeks for topics that the service does not read', async () => {
    const { tools, of } = world({});
    await forgetExpired(tools, new AbortController().signal);
    for (const topic of [topics.publications, topics.deadLetters])
      assert.deepEqual(of(topic), [{ topic, partition: 0, before: now - 14 * day, below: 900 }]);
  });

  it('never passes what a projector’s next owner would fold from', async () => {
    assert.deepEqual(await quotesAsked({ foldedFrom: 500 }), { before: now - 14 * day, below: 500 });
    assert.equal(await quotesAsked({ foldedFrom: 100 }), null, 'nothing is held below it');
    assert.equal(await quotesAsked({ foldedFrom: 0 }), null, 'there is no snapshot yet');
    assert.equal(await quotesAsked({}), null, 'nobody has claimed the partition yet');
  });

  it('keeps the newest of the old records of quotes, which proves that no younger one was deleted', async () => {
    assert.equal((await quotesAsked({ foldedFrom: 500, youngFrom: 300 }))?.below, 299);
    assert.equal((await quotesAsked({ foldedFrom: 900, youngFrom: 900 }))?.below, 899);
    assert.equal(await quotesAsked({ foldedFrom: 500, youngFrom: 100 }), null, 'nothing is old');
    assert.equal(await quotesAsked({ foldedFrom: 500, youngFrom: 101 }), null, 'one record is old');
  });

  it('keeps a game whole until two weeks after its start, and no longer than a year', async () => {
    const quotes = async (start: Micros, created: Micros) =>
      (await quotesAsked({ foldedFrom: 500, game: { start, created } }))?.before;
    assert.equal(await quotes(now + 30 * day, now - 90 * day), now - 90 * day - clockSlack);
    assert.equal(await quotes(now - 14 * day, now - 90 * day), now - 90 * day - clockSlack);
    assert.equal(await quotes(now - 15 * day, now - 90 * day), now - 14 * day);
    assert.equal(await quotes(now + day, now - 2 * day), now - 14 * day, 'a young game does not shorten the retention');
    assert.equal(await quotes(now + 9_999 * day, now - 400 * day), now - 14 * day);
  });

  it('is carried out in steps, as many as it takes, by one process at a time', async () => {
    const many = world({ foldedFrom: 500, steps: 4 });
    await forgetExpired(many.tools, new AbortController().signal);
    assert.equal(many.of(topics.quotes).length, 4);
    const other = world({ foldedFrom: 500, held: false });
    await forgetExpired(other.tools, new AbortController().signal);
    assert.deepEqual(other.asked, []);
  });

  it('asks nothing once it is stopped', async () => {
    const idle = world({ foldedFrom: 500 });
    let questions = 0;
    const live = {
      async now() {
        questions += 1;
        return now;
      },
    };
    const asleep = Promise.withResolvers<void>();
    const clock = Object.assign(new SetClock(), { sleep: () => asleep.promise });
    const stopped = startRetention({ ...idle.tools, clock, live })();
    asleep.resolve();
    await stopped;
    assert.deepEqual([questions, idle.asked], [0, []]);
    const round = new AbortController();
    const { tools, asked } = world({ foldedFrom: 500, steps: Number.POSITIVE_INFINITY });
    const watermarks = async () => {
      round.abort();
      return [0, 1].map((partition) => ({ partition, low: 100, high: 900 }));
    };
    let looked = 0;
    const offsetAt = async () => {
      looked += 1;
      return 900;
    };
    await forgetExpired({ ...tools, broker: { watermarks, offsetAt } }, round.signal);
    assert.deepEqual([looked, asked], [0, []]);
  });

  it('stops between two steps, and outlives what goes wrong in a round', async () => {
    const endless = world({ foldedFrom: 500, steps: Number.POSITIVE_INFINITY });
    let rounds = 0;
    const clock = new SetClock();
    clock.sleep = async (_ms, signal) => {
      // Lets the event loop turn, which a sleep of zero length would not.
      if (signal?.aborted !== true) await new Promise((done) => setImmediate(done));
    };
    const stop = startRetention({
      ...endless.tools,
      clock,
      live: {
        async now() {
          rounds += 1;
          if (rounds === 1) throw new Error('away');
          return now;
        },
      },
    });
    await until('steps', () => endless.asked.length > 3);
    await stop();
    const { length } = endless.asked;
    await new Promise((done) => setImmediate(done));
    assert.equal(endless.asked.length, length);
    assert.equal(rounds, 2);
  });
});
