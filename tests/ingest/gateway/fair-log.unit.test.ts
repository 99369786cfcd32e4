// How keys share the log: which push waits, which is next, and which is refused for now; appends keep their order; and a single key, or a
// projector that is down, delays no push.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { BrokerUnavailable, type Ends, type OutgoingRecord } from '../../../core/ports/broker.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import { largeCost } from '../../../core/scheduling/large-records.ts';
import { ownPart, stalledMs, standsAfterMs, windows } from '../../../core/scheduling/unfolded.ts';
import { openFairLog } from '../../../ingest/gateway/fair-log.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { rawObservation, rawQuote, rawRecord } from '../../support/builders/raw-quotes.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

/** A log of two partitions with the same ends, folded when the test says so. */
function openStage() {
  const clock = openManualClock(0);
  const log: string[] = [];
  const hanging: (() => void)[] = [];
  const stage = {
    ...{ folded: 0, asked: 0, down: false, away: false, ended: false, hangs: false },
    /** Answers pending questions and all later ones. */
    answer() {
      stage.hangs = false;
      for (const go of hanging.splice(0)) go();
    },
  };
  const broker = {
    partitionOf: async (_: string, key: string) => (key === 'elsewhere' ? 1 : 0),
    async produce(_: string, records: readonly OutgoingRecord[]): Promise<Ends> {
      if (stage.down) throw new BrokerUnavailable('the log is down');
      log.push(...records.map(({ headers }) => headers?.name ?? ''));
      return new Map([0, 1].map((partition) => [partition, log.length]));
    },
  };
  const progress = {
    async nextOffsets() {
      stage.asked += 1;
      if (stage.hangs) await new Promise<void>((go) => hanging.push(go));
      if (stage.away) throw new CatalogUnavailable('away');
      if (stage.ended) throw new Error('asked after its end');
      return new Map([0, 1].map((partition) => [partition, stage.folded]));
    },
  };
  const errors: unknown[] = [];
  const fair = openFairLog({ broker, progress, clock, log: { error: (...told) => errors.push(told) } });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await pass();
  };
  return {
    ...{ stage, log, errors, fair },
    /** Advances time by `ms`; everything that becomes due happens. */
    async elapse(ms: number) {
      for (let left = ms; left > 0; left -= 10) {
        clock.advance(10);
        await settle();
      }
    },
    /** Starts a push of `records` records with `quotes` quotes each. */
    async push(key: string, name: string, records = 1, quotes = ownPart, elsewhere: OutgoingRecord[] = []) {
      const pushed = { done: false, failed: false };
      const all = [...elsewhere, ...Array.from({ length: records }, (_, at) => recordOf(`${name}${at}`, quotes))];
      fair.append(key, topics.quotes, all).then(
        () => {
          pushed.done = true;
        },
        () => {
          pushed.failed = true;
        },
      );
      await settle();
      return pushed;
    },
  };
}

function recordOf(name: string, quotes: number, key = 'game'): OutgoingRecord {
  const offer = Array.from({ length: quotes }, () => rawQuote({ market: 'moneyline', selection: 'home' }));
  const value = rawRecord(rawObservation({ operators: [{ operator: 'X', quotes: offer }] }), {});
  return { key, value, headers: { name } };
}

/** More records than the window takes. */
const plenty = (2 * windows.first) / ownPart;

describe('the log as keys share it', () => {
  it('lets a key that is alone append anything', async () => {
    const { push, fair } = openStage();
    assert.equal((await push('flood', 'a', 100)).done, true);
    assert.equal(fair.refusal('flood'), null);
  });

  it('is open again to a key that is alone, a minute after another pushed last', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    await elapse(59_000);
    stage.folded = log.length;
    await elapse(200);
    const beside = await push('flood', 'f', plenty);
    assert.equal(beside.done, false);
    while (!beside.done) {
      stage.folded = log.length;
      await elapse(50);
    }
    stage.folded = log.length;
    await elapse(1_000);
    assert.equal((await push('flood', 'g', plenty)).done, true);
  });

  it('holds back what a key appends beyond its part until it is folded, and lets another key pass', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    const flood = await push('flood', 'f', plenty);
    assert.equal(flood.done, false);
    assert.ok(log.length < plenty && log.length > 1, `${log.length} records`);
    assert.equal((await push('honest', 'h', 1, 100)).done, true);
    assert.equal(log.at(-1), 'h0');
    while (!flood.done) {
      const before = log.length;
      await elapse(50);
      assert.equal(log.length, before, 'nothing was folded meanwhile');
      stage.folded = log.length;
      await elapse(50);
      assert.ok(log.length > before);
    }
    assert.deepEqual(
      log.filter((name) => name.startsWith('f')),
      Array.from({ length: plenty }, (_, at) => `f${at}`),
    );
  });

  it('takes the keys that wait in turns, and of each its pushes in order', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    await push('flood', 'f', plenty);
    const later = [await push('flood', 'g', plenty), await push('other', 'o', plenty)];
    while (later.some(({ done }) => !done)) {
      stage.folded = log.length;
      await elapse(50);
    }
    const order = log.filter((name) => name !== 'x0');
    const before = order.slice(0, order.indexOf(`o${plenty - 1}`)).filter((name) => name.startsWith('g'));
    assert.ok(before.length <= plenty / 2, order.join(' '));
    assert.ok(order.indexOf('o1') < order.indexOf('g0'), order.join(' '));
  });

  it('lets no record of a key past those of it that wait, in whatever partition', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    await push('flood', 'f', plenty);
    const later = await push('flood', 'g', 1, 10, [recordOf('e', 10, 'elsewhere')]);
    assert.equal(log.includes('e'), false);
    while (!later.done) {
      stage.folded = log.length;
      await elapse(50);
    }
    assert.deepEqual(log.slice(-3), [`f${plenty - 1}`, 'e', 'g0']);
  });

  it('counts what a key has appended to all partitions', async () => {
    const { push, log } = openStage();
    await push('honest', 'x', 1, 10);
    const elsewhere = Array.from({ length: plenty }, (_, at) => recordOf(`e${at}`, ownPart, 'elsewhere'));
    assert.equal((await push('flood', 'f', 0, 0, elsewhere)).done, false);
    const before = log.length;
    assert.equal((await push('flood', 'g', 1, 10)).done, false);
    assert.equal(log.length, before);
  });

  it('folds one large record of a key at a time, in whatever partition, and passes it over for others', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    const image = 2 * largeCost;
    // The window widens until it takes two large records.
    for (let round = 0; round < 12; round += 1) {
      const wide = await push('flood', 'w', 40, ownPart);
      while (!wide.done) {
        stage.folded = log.length;
        await elapse(20);
      }
    }
    stage.folded = log.length;
    await elapse(50);
    assert.equal((await push('other', 'o', 1, image)).done, true);
    assert.equal((await push('flood', 'f', 0, 0, [recordOf('e', image, 'elsewhere')])).done, true);
    const second = await push('flood', 'g', 1, image);
    const third = await push('third', 't', 100, 1_000);
    assert.deepEqual([second.done, third.done], [false, false]);
    const before = log.length;
    stage.folded = log.indexOf('o0') + 1;
    await elapse(150);
    assert.ok(log.length > before, 'the third key appends more');
    assert.equal(second.done, false);
    stage.folded = log.length;
    await elapse(100);
    assert.equal(second.done, false, 'it waits as long again as the first took');
    for (let look = 0; look < 20; look += 1) {
      stage.folded = log.length;
      await elapse(50);
    }
    assert.equal(second.done, true);
  });

  it('lets go a large record that rests behind the last one of its key while nothing is unfolded', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'h', 1, 10);
    await push('flood', 'a', 1, largeCost + 1);
    await elapse(400);
    stage.folded = log.length;
    await elapse(200);
    const resting = await push('flood', 'b', 1, largeCost + 1);
    assert.equal(resting.done, false);
    await elapse(500);
    assert.equal(resting.done, true);
  });

  it('lets go a large record that waits for one of a partition that stands still, while others go on', async () => {
    const { push, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    await push('flood', 'f', 0, 0, [recordOf('e', 2 * largeCost, 'elsewhere')]);
    const second = await push('flood', 'g', 1, 2 * largeCost);
    await elapse(stalledMs - 500);
    assert.equal(second.done, false);
    await elapse(1_000);
    assert.equal(second.done, true);
  });

  it('says that something is kept as soon as it is, whatever comes of the rest', async () => {
    const { push, stage, elapse, fair } = openStage();
    await push('honest', 'x', 1, 10);
    let kept = 0;
    const records = Array.from({ length: plenty }, (_, at) => recordOf(`k${at}`, ownPart));
    const pushed = fair.append('flood', topics.quotes, records, () => {
      kept += 1;
    });
    const failed = pushed.catch((error: unknown) => error);
    await elapse(100);
    assert.ok(kept > 0);
    stage.down = true;
    stage.folded = 100;
    await elapse(100);
    assert.ok((await failed) instanceof BrokerUnavailable);
  });

  it('takes a record that is larger than the window', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    const larger = await push('flood', 'l', 3, 2 * windows.first);
    assert.deepEqual(log, ['x0', 'l0']);
    stage.folded = 2;
    await elapse(100);
    assert.deepEqual(log, ['x0', 'l0', 'l1']);
    stage.folded = 3;
    await elapse(50);
    assert.equal(larger.done, true);
  });

  it('refuses a key that has too much waiting, with a time to come back, and no other key', async () => {
    const { push, fair, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    const pushes = [];
    for (let nth = 0; nth < 4; nth += 1) {
      assert.equal(fair.refusal('flood'), null, `${nth} wait`);
      pushes.push(await push('flood', `${nth}.`, plenty));
    }
    const refusal = fair.refusal('flood');
    assert.deepEqual([refusal?.refused, refusal?.headers], ['rate-limited', ['Retry-After', '1']]);
    assert.match(String(refusal?.detail), /pushes of the key wait for the log.*Nothing was accepted; send it again/);
    assert.equal(fair.refusal('honest'), null);
    while (pushes.some(({ done }) => !done)) {
      stage.folded = log.length;
      await elapse(50);
    }
    assert.equal(fair.refusal('flood'), null);
  });

  it('holds up nothing where nothing is folded for long, nor where that cannot be asked', async () => {
    for (const [away, after] of [
      [false, standsAfterMs],
      [true, stalledMs],
    ] as const) {
      const { push, fair, stage, elapse } = openStage();
      stage.away = away;
      await push('honest', 'x', 1, 10);
      const flood = await push('flood', 'f', plenty);
      await elapse(after - 100);
      assert.equal(flood.done, false);
      await elapse(200);
      assert.equal(flood.done, true);
      const more = await push('flood', 'g', 100);
      await elapse(2_000);
      assert.equal(more.done, true);
      assert.equal(fair.refusal('flood'), null);
    }
  });

  it('holds up nothing for longer where the catalog neither answers nor refuses, and goes on once it answers', async () => {
    const { push, fair, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    stage.hangs = true;
    const flood = await push('flood', 'f', plenty);
    await elapse(stalledMs - 100);
    assert.deepEqual([flood.done, stage.asked], [false, 1], 'only one question is pending at a time');
    await elapse(200);
    assert.equal(flood.done, true);
    for (let nth = 0; nth < 8; nth += 1) assert.equal((await push('flood', 'g', plenty)).done, true);
    assert.equal(fair.refusal('flood'), null);
    stage.answer();
    stage.folded = log.length;
    await elapse(300);
    const next = await push('flood', 'h', plenty);
    assert.equal(next.done, false, 'it waits its turn again');
    while (!next.done) {
      stage.folded = log.length;
      await elapse(50);
    }
  });

  it('lets a record go as soon as an answer says that it may, however late the answer is', async () => {
    const { push, log, stage, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    stage.hangs = true;
    const flood = await push('flood', 'f', plenty);
    await elapse(1_000);
    const before = log.length;
    stage.folded = before;
    stage.answer();
    await elapse(10);
    assert.ok(log.length > before, 'some records were appended');
    assert.equal(flood.failed, false);
  });

  it('says so where an answer that nobody waits for any more is a defect, and goes on', async () => {
    const { push, stage, errors, elapse } = openStage();
    await push('honest', 'x', 1, 10);
    stage.hangs = true;
    await elapse(500);
    assert.deepEqual([stage.asked, errors], [1, []]);
    stage.ended = true;
    stage.answer();
    stage.hangs = true;
    await elapse(10);
    assert.deepEqual(errors, [
      ['how far a topic is folded cannot be asked', { topic: topics.quotes, error: 'Error: asked after its end' }],
    ]);
    await elapse(500);
    assert.equal(stage.asked, 2, 'it asks again');
    stage.away = true;
    stage.answer();
    await elapse(10);
    assert.equal(errors.length, 1, 'an outage is not reported as an error');
  });

  it('does not count records that the log has not taken', async () => {
    const { push, stage, log } = openStage();
    await push('honest', 'x', 1, 10);
    stage.down = true;
    for (let nth = 0; nth < 20; nth += 1) assert.equal((await push('flood', 'n', 1)).failed, true);
    stage.down = false;
    assert.equal((await push('flood', 'f', 2)).done, true);
    assert.deepEqual(log, ['x0', 'f0', 'f1']);
  });

  it('asks how far it is folded only while something is not', async () => {
    const { push, stage, log, elapse } = openStage();
    await elapse(1_000);
    assert.equal(stage.asked, 0);
    await push('honest', 'x', 1, 10);
    await elapse(1_000);
    assert.ok(stage.asked >= 8 && stage.asked <= 11, `asked ${stage.asked} times`);
    stage.folded = log.length;
    await elapse(200);
    const { asked } = stage;
    await elapse(1_000);
    assert.equal(stage.asked, asked);
  });

  it('lets everything go when it closes', async () => {
    const { push, fair } = openStage();
    await push('honest', 'x', 1, 10);
    const flood = await push('flood', 'f', plenty);
    fair.close();
    await pass();
    await pass();
    assert.equal(flood.done, true);
  });

  it('lets everything go when it closes while the catalog hangs', async () => {
    const { push, fair, stage, elapse } = openStage();
    stage.hangs = true;
    await push('honest', 'x', 1, 10);
    const flood = await push('flood', 'f', plenty);
    await elapse(200);
    assert.deepEqual([flood.done, stage.asked], [false, 1]);
    fair.close();
    await elapse(10);
    assert.equal(flood.done, true);
  });

  it('ends in good order with its catalog while records are not folded yet', async () => {
    const { stage, fair, elapse, push } = openStage();
    await push('a', 'a', 3);
    fair.close();
    stage.ended = true;
    await elapse(500);
    assert.ok(stage.asked <= 1);
  });
});
