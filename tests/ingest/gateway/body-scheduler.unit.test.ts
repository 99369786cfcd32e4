// The scheduler of bodies: slices that let the rest of the process run between them and alternate between keys, however much each key has
// waiting; and the lane of large bodies, one at a time.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { KeyedQueue } from '../../../core/scheduling/keyed-queue.ts';
import type { Task } from '../../../core/scheduling/task.ts';
import { openBodyScheduler, openLane } from '../../../ingest/gateway/body-scheduler.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

/** A clock on which each step costs a millisecond, or `micros`, and which rests without waiting. */
function costing(micros = 1_000) {
  let now = 0;
  let rests = 0;
  return {
    now: () => now,
    rests: () => rests,
    cost: () => {
      now += micros;
    },
    sleep: async () => {
      rests += 1;
      await pass();
    },
  };
}

/** A scheduler, and jobs of which each step costs a millisecond, or `micros`, and is noted in `taken`. A job returns its name. */
function openCosting(micros?: number) {
  const clock = costing(micros);
  const taken: string[] = [];
  return {
    clock,
    scheduler: openBodyScheduler(clock),
    taken,
    job: function* (name: string, steps: number): Task<string> {
      for (let step = 0; step < steps; step += 1) {
        clock.cost();
        taken.push(name);
        yield;
      }
      return name;
    },
  };
}

describe('the scheduler of bodies', () => {
  it('go to one key after the other, a key going on with what it has begun', async () => {
    const { clock, scheduler, taken, job } = openCosting();
    const flood = Array.from({ length: 10 }, (_, at) => scheduler.run('flood', job(`f${at}`, 9)));
    const other = scheduler.run('other', job('o', 6));
    let endedAt = 0;
    void other.then(() => {
      endedAt = taken.length;
    });
    assert.deepEqual(await Promise.all([...flood, other]), [...flood.map((_, at) => `f${at}`), 'o']);
    // Its six steps of 96 end after as many steps of the flood, plus one turn.
    assert.ok(endedAt <= 18, `after ${endedAt} steps`);
    const ofFlood = taken.filter((name) => name !== 'o');
    assert.deepEqual(ofFlood, [...ofFlood].sort());
    assert.ok(clock.rests() >= 30, `${clock.rests()} rests`);
  });

  it('come first to a key of which nothing goes on, and to the others all the same', async () => {
    const { scheduler, taken, job } = openCosting(250);
    const large = ['a', 'b', 'c', 'd', 'e'].map((key) => scheduler.run(key, job(key, 200)));
    for (let rest = 0; rest < 20; rest += 1) await pass();
    const before = taken.length;
    await scheduler.run('small', job('small', 1));
    assert.ok(taken.length <= before + 9, `after ${taken.length - before} steps of others`);
    const many = Array.from({ length: 40 }, () => scheduler.run('small', job('small', 1)));
    await Promise.all(many);
    assert.ok(taken.slice(before).filter((name) => name !== 'small').length >= 8, 'large bodies continue meanwhile');
    await Promise.all(large);
  });

  it('come first to a small push also where one is not enough for it', async () => {
    const { scheduler, taken, job } = openCosting(250);
    const large = ['a', 'b', 'c', 'd', 'e'].map((key) => scheduler.run(key, job(key, 200)));
    for (let rest = 0; rest < 40; rest += 1) await pass();
    const before = taken.length;
    await scheduler.run('small', job('small', 11));
    const others = taken.slice(before).filter((name) => name !== 'small');
    assert.ok(others.length <= 4, `after ${others.length} steps of others`);
    await Promise.all(large);
  });

  it('let work that is new go before pieces of bodies, and before the rest behind these is over', async () => {
    let now = 0;
    let endsRest = false;
    const rest = Promise.withResolvers<void>();
    const scheduler = openBodyScheduler({
      now: () => now,
      async sleep(_, signal) {
        signal?.addEventListener('abort', () => {
          endsRest = true;
          rest.resolve();
        });
        await rest.promise;
      },
    });
    const taken: string[] = [];
    const small = function* (): Task<void> {
      taken.push('small');
      yield;
    };
    await scheduler.run('other', small());
    const piece = () => {
      now += 900;
      taken.push('piece');
    };
    const pieces = Array.from({ length: 5 }, () => scheduler.piece('flood', piece));
    assert.deepEqual(taken, ['small', 'piece'], 'what the first piece took, others get too');
    void scheduler.piece('flood', piece);
    assert.equal(endsRest, false);
    await scheduler.run('other', small());
    assert.deepEqual([endsRest, taken[2]], [true, 'small']);
    await Promise.all(pieces);
  });

  it('take a third of the time at most while several keys bring work, and all of it for one', async () => {
    for (const keys of [
      ['a', 'b'],
      ['a', 'a'],
    ] as const) {
      let [now, slept, worked] = [0, 0, 0];
      const clock = {
        now: () => now,
        async sleep(ms: number): Promise<void> {
          slept += ms * 1_000;
          now += ms * 1_000;
          await pass();
        },
      };
      const scheduler = openBodyScheduler(clock);
      const job = function* (): Task<void> {
        for (let step = 0; step < 100; step += 1) {
          now += 500;
          worked += 500;
          yield;
        }
      };
      await Promise.all(keys.map((key) => scheduler.run(key, job())));
      if (keys[0] === keys[1]) assert.equal(slept, 0);
      else assert.ok(slept >= 1.8 * worked && slept <= 2 * worked, `${slept} of ${worked}`);
    }
  });

  it('take all of the time again ten seconds after another key brought work', async () => {
    const clock = openManualClock(0);
    const rests: number[] = [];
    const scheduler = openBodyScheduler({
      now: clock.now,
      async sleep(ms) {
        rests.push(ms);
        await pass();
      },
    });
    const job = function* (steps: number): Task<void> {
      for (let step = 0; step < steps; step += 1) {
        clock.advance(1);
        yield;
      }
    };
    await scheduler.run('other', job(1));
    await scheduler.run('one', job(12_000));
    assert.deepEqual(
      [0, 1, 5_000, 9_998, 10_100, 11_400].map((at) => rests[at]),
      [0, 2, 2, 2, 0, 0],
    );
  });

  it('keep resting beside another key that brings small work all the while', async () => {
    const clock = openManualClock(0);
    const rests: number[] = [];
    const others: Promise<void>[] = [];
    const scheduler = openBodyScheduler({
      now: clock.now,
      async sleep(ms) {
        rests.push(ms);
        await pass();
      },
    });
    const job = function* (steps: number, everyTenth: () => void): Task<void> {
      for (let step = 0; step < steps; step += 1) {
        clock.advance(1);
        if (step % 10 === 9) everyTenth();
        yield;
      }
    };
    const bringOther = (): void =>
      void others.push(
        scheduler.run(
          'other',
          job(1, () => {}),
        ),
      );
    await scheduler.run('one', job(3_000, bringOther));
    await Promise.all(others);
    assert.ok(rests.slice(2_000).every((ms) => ms > 0));
    assert.ok(rests.length > 2_000);
  });

  it('are whole for work that goes first, whatever other work has left of one', async () => {
    const { scheduler, taken, job } = openCosting(250);
    const both = ['one', 'other'].map((key) => scheduler.run(key, job(key, 3)));
    assert.deepEqual(taken, ['one', 'one', 'one', 'other', 'other', 'other']);
    await Promise.all(both);
  });

  /** Jobs of which each step takes 5 ms of a clock that the test advances. */
  function openStepping() {
    const clock = openManualClock(0);
    const taken: string[] = [];
    return {
      clock,
      scheduler: openBodyScheduler(clock),
      taken,
      job: function* (name: string, steps: number): Task<void> {
        for (let step = 0; step < steps; step += 1) {
          clock.advance(5);
          taken.push(name);
          yield;
        }
      },
      async settle(): Promise<void> {
        for (let turn = 0; turn < 20; turn += 1) await pass();
      },
    };
  }

  it('go on resting when a key brings more work while its own goes on', async () => {
    const { clock, scheduler, taken, job, settle } = openStepping();
    await scheduler.run('b', job('b', 1));
    void scheduler.run('a', job('a', 6));
    await settle();
    assert.deepEqual(taken, ['b', 'a']);
    void scheduler.run('a', job('more', 1));
    await settle();
    assert.deepEqual(taken, ['b', 'a']);
    clock.advance(2);
    await settle();
    assert.deepEqual(taken, ['b', 'a', 'a']);
  });

  it('rest until a key brings work that goes first', async () => {
    const { clock, scheduler, taken, job, settle } = openStepping();
    void scheduler.run('a', job('a', 6));
    void scheduler.run('b', job('b', 6));
    await settle();
    while (taken.filter((name) => name === 'b').length < 3) {
      const before = taken.length;
      // Jobs that go first wait for one usual rest, although the last slice took five times as long.
      clock.advance(2);
      await settle();
      assert.equal(taken.length, before + 1);
    }
    const begun = taken.length;
    void scheduler.run('a', job('a', 1));
    clock.advance(9);
    await settle();
    assert.equal(taken.length, begun, 'a body in progress waits for its turn');
    void scheduler.run('c', job('c', 1));
    await settle();
    assert.deepEqual(taken.slice(begun), ['c']);
    clock.advance(10);
    await settle();
    assert.deepEqual(taken.slice(begun + 1), ['a']);
  });

  it('hold the loop for no longer than a step and a slice take', async () => {
    const scheduler = openBodyScheduler(systemClock);
    const spend = function* (): Task<void> {
      for (let step = 0; step < 300; step += 1) {
        const end = performance.now() + 0.5;
        while (performance.now() < end);
        yield;
      }
    };
    const works = Promise.all(['a', 'a', 'b'].map((key) => scheduler.run(key, spend())));
    let done = false;
    void works.then(() => {
      done = true;
    });
    let passes = 0;
    while (!done) {
      passes += 1;
      await pass();
    }
    // 450 ms of work in slices of 3 ms, each followed by at least one turn of the event loop.
    assert.ok(passes >= 100, `${passes} passes`);
  });

  it('are handed on when steps throw, and the failure is that of its own work', async () => {
    const scheduler = openBodyScheduler(costing());
    const broken = scheduler.run(
      'a',
      // biome-ignore lint/correctness/useYield: it fails before the first step
      (function* (): Task<void> {
        throw new Error('broken');
      })(),
    );
    const next = scheduler.run(
      'a',
      (function* (): Task<number> {
        yield;
        return 7;
      })(),
    );
    await assert.rejects(broken, /broken/);
    assert.equal(await next, 7);
  });
});

describe('a lane', () => {
  it('runs one work at a time, alternating between keys, even if works fail', async () => {
    const lane = openLane();
    const begun: string[] = [];
    let under = 0;
    const work = (name: string) => async (): Promise<void> => {
      begun.push(name);
      under += 1;
      assert.equal(under, 1);
      await pass();
      under -= 1;
      if (name === 'a1') throw new Error('a1');
    };
    const ended = await Promise.allSettled(
      ['a0', 'a1', 'a2', 'b0', 'c0', 'b1'].map((name) => lane(name.slice(0, 1), work(name))),
    );
    assert.deepEqual(begun, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1']);
    assert.deepEqual(
      ended.map(({ status }) => status === 'rejected'),
      [false, true, false, false, false, false],
    );
  });

  it('does what is to be done behind each work before the next one begins, and after the answer', async () => {
    const done: string[] = [];
    const scheduler = openBodyScheduler(costing(), async () => {
      await pass();
      done.push('behind');
      await pass();
    });
    const work = (name: string) =>
      scheduler
        .large(name, async () => {
          done.push(name);
          if (name === 'b') throw new Error(name);
        })
        .finally(() => done.push(`${name} answered`));
    await Promise.allSettled(['a', 'b', 'c'].map(work));
    assert.deepEqual(done, ['a', 'a answered', 'behind', 'b', 'b answered', 'behind', 'c', 'c answered']);
  });

  it('says behind a work whether other keys have brought any within the last ten seconds', async () => {
    const wasAlone: boolean[] = [];
    const clock = costing(2_500_000);
    const scheduler = openBodyScheduler(clock, async (isAlone) => void wasAlone.push(isAlone));
    const push = (key: string) =>
      scheduler.run(
        key,
        (function* (): Task<void> {
          yield;
        })(),
      );
    const large = async (key: string) => {
      await scheduler.large(key, () => push(key));
      await pass();
    };
    await large('flood');
    await push('other');
    await large('flood');
    for (let quarters = 0; quarters <= 4; quarters += 1) clock.cost();
    await large('flood');
    assert.deepEqual(wasAlone, [true, false, true]);
  });

  it('is free while the work in it waits beside it, which goes on when it is free again', async () => {
    const lane = openLane();
    const order: string[] = [];
    const waited = Promise.withResolvers<string>();
    const first = lane('a', async (aside) => {
      order.push('a begins');
      order.push(await aside(() => waited.promise));
      await pass();
      order.push('a ends');
    });
    const second = lane('b', async () => {
      order.push('b begins');
      waited.resolve('a has waited');
      await pass();
      order.push('b ends');
    });
    await Promise.all([first, second]);
    assert.deepEqual(order, ['a begins', 'b begins', 'b ends', 'a has waited', 'a ends']);
    const failing = lane('a', (aside) => aside(() => Promise.reject(new Error('the log is down'))));
    await assert.rejects(failing, /the log is down/);
    assert.equal(await lane('a', async () => 'free'), 'free');
  });

  it('goes on behind a work that throws before it begins', async () => {
    const lane = openLane();
    const ended = await Promise.allSettled([
      lane('a', () => {
        throw new Error('no memory for it');
      }),
      lane('b', async () => 'b'),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.equal(await lane('a', async () => 'a'), 'a');
  });
});

// Claim: however much a key brings, an item of another key waits for at most one item of each waiting key, and the
// items of one key stay in order.
it('of a keyed queue each key has one before another has two', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { maxLength: 60 }), (acts) => {
      const queue = new KeyedQueue<number>();
      const waiting = new Map<string, number[]>();
      const since = new Map<string, string[]>();
      for (const [at, [key, takes]] of acts.entries()) {
        if (!takes) {
          queue.add(key, at);
          if (!waiting.has(key)) since.set(key, []);
          waiting.set(key, [...(waiting.get(key) ?? []), at]);
          continue;
        }
        const next = queue.take();
        assert.equal(next === null, waiting.size === 0);
        if (next === null) continue;
        assert.equal(next.item, waiting.get(next.key)?.[0]);
        for (const [other, served] of since)
          if (other !== next.key) {
            assert.ok(!served.includes(next.key), `${next.key} twice before ${other}`);
            served.push(next.key);
          }
        const left = (waiting.get(next.key) ?? []).slice(1);
        if (left.length === 0) {
          waiting.delete(next.key);
          since.delete(next.key);
        } else {
          waiting.set(next.key, left);
          since.set(next.key, []);
        }
      }
    }),
  );
});
