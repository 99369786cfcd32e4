// Claims: what a key has of its own it may always have, whatever others push; what keys have beyond that never passes the window but by one
// record; where nothing is folded for long everybody may append; what is appended to a partition that stands does not count; the window
// narrows when the topic is late, and widens when it is not and somebody had to wait. A violation would need a count that differs
// from that of all that was appended and not folded.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { lateness, ownPart, stalledMs, standsAfterMs, Unfolded, windows } from '../../../core/scheduling/unfolded.ts';

type Appended = { key: string; partition: number; cost: number; through: number };

const partitions = 3;

const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 4_000, max: 7_000 })),
    key: fc.constantFrom('flood', 'other', 'third'),
    partition: fc.integer({ min: 0, max: partitions - 1 }),
    cost: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9_000 })),
    /** How many of the oldest records of the partition are folded in this step; a step that folds appends none. */
    folds: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 30 })),
    fails: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 200 },
);

/** How much the keys have beyond their own parts, counted anew. */
function beyondOf(log: readonly Appended[]): number {
  const sums = Map.groupBy(log, ({ key }) => key);
  const costs = [...sums.values()].map((some) => some.reduce((sum, { cost }) => sum + cost, 0));
  return costs.reduce((sum, cost) => sum + Math.max(0, cost - ownPart), 0);
}

describe('what is not folded yet', () => {
  it('admits as a count of all that was appended and not folded would', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const unfolded = new Unfolded();
        const states = Array.from({ length: partitions }, () => ({ movedAt: 0, stands: false }));
        const offsets = new Map(states.map((_, partition) => [partition, 0]));
        let log: Appended[] = [];
        let [now, next, anyMovedAt] = [0, 0, 0];
        for (const { after, key, partition, cost, folds, fails } of taken) {
          now += after;
          const state = states[partition] as { movedAt: number; stands: boolean };
          const ofPartition = (which: number) => log.filter((each) => each.partition === which);
          if (folds > 0) {
            const done = ofPartition(partition).slice(0, folds);
            if (done.length > 0) {
              offsets.set(partition, (done.at(-1) as Appended).through);
              state.movedAt = now;
              anyMovedAt = now;
            }
            for (const [which, each] of states.entries())
              each.stands = now - each.movedAt > standsAfterMs && (each.stands || ofPartition(which).length > 0);
            log = log.filter((each) => !done.includes(each) && states[each.partition]?.stands !== true);
            unfolded.folded(offsets, now);
            assert.equal(unfolded.isEmpty, log.length === 0);
            continue;
          }
          const beyond = beyondOf(log);
          const then = beyondOf([...log, { key, partition, cost, through: 0 }]);
          const stalled = now - anyMovedAt > stalledMs;
          const admitted = unfolded.admits(key, cost, now);
          assert.equal(
            admitted,
            then === beyond || beyond === 0 || then <= unfolded.window || (stalled && log.length > 0),
          );
          if (!admitted) continue;
          if (log.length === 0) anyMovedAt = now;
          if (!state.stands && ofPartition(partition).length === 0) state.movedAt = now;
          unfolded.begin(key, partition, cost, now);
          if (fails) unfolded.failed(key, partition, cost);
          else {
            next += 1;
            log.push({ key, partition, cost, through: next });
            unfolded.appended(key, partition, cost, next, now);
          }
        }
      }),
    );
  });

  it('lets a key have its own part beside any flood', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: ownPart }), (taken, cost) => {
        const unfolded = new Unfolded();
        let [now, next] = [0, 0];
        for (const step of taken) {
          now += step.after;
          assert.ok(unfolded.admits('honest', cost, now));
          if (!unfolded.admits(step.key, step.cost, now)) continue;
          unfolded.begin(step.key, step.partition, step.cost, now);
          next += 1;
          unfolded.appended(step.key, step.partition, step.cost, next, now);
        }
      }),
    );
  });

  it('counts nothing of a partition that stands, until it advances', () => {
    const unfolded = new Unfolded();
    const cost = ownPart + windows.first;
    const folded = (stands: number, advances: number, now: number): void =>
      unfolded.folded(
        new Map([
          [0, stands],
          [1, advances],
        ]),
        now,
      );
    const append = (partition: number, through: number, now: number): void => {
      unfolded.begin('flood', partition, cost, now);
      unfolded.appended('flood', partition, cost, through, now);
    };
    for (const partition of [0, 1]) append(partition, 1, 0);
    folded(0, 1, standsAfterMs);
    assert.equal(unfolded.admits('flood', ownPart, standsAfterMs), false, 'partition 0 may still be folded');
    const { window } = unfolded;
    for (const advances of [2, 3]) folded(0, advances, standsAfterMs + 1);
    assert.equal(unfolded.isEmpty, true);
    append(0, 2, standsAfterMs + 2);
    folded(0, 3, standsAfterMs + 3);
    assert.equal(unfolded.isEmpty, true, 'what is appended to it meanwhile does not count either');
    folded(2, 3, standsAfterMs + 4);
    assert.equal(unfolded.window, window, 'what does not count is not late');
    append(0, 3, standsAfterMs + 5);
    folded(2, 3, standsAfterMs + 6);
    assert.equal(unfolded.isEmpty, false, 'it has advanced');
  });

  it('remembers no more appends of a key than some, and loses none of them', () => {
    const unfolded = new Unfolded();
    const count = 10_000;
    for (let through = 1; through <= count; through += 1) {
      unfolded.begin('flood', 0, 1, 0);
      unfolded.appended('flood', 0, 1, through, 0);
    }
    unfolded.folded(new Map([[0, count - 1]]), 100);
    assert.equal(unfolded.isEmpty, false);
    unfolded.folded(new Map([[0, count]]), 200);
    assert.equal(unfolded.isEmpty, true);
  });

  it('counts appends that it remembers as one until the last of them in the log is folded', () => {
    const unfolded = new Unfolded();
    const remembered = 64;
    /** The ends in the order of the log, but the last two reversed. */
    const ends = [...Array.from({ length: remembered }, (_, at) => at + 1), 90, 80];
    for (const _ of ends) unfolded.begin('flood', 0, ownPart, 0);
    for (const through of ends) unfolded.appended('flood', 0, ownPart, through, 0);
    const room = () =>
      Array.from({ length: remembered + 3 }, (_, more) => more * ownPart).findLast((cost) =>
        unfolded.admits('other', cost + ownPart, 0),
      );
    unfolded.folded(new Map([[0, remembered]]), 10);
    assert.equal(unfolded.window - (room() ?? 0), 2 * ownPart, 'the last three are left, a part of one key');
    unfolded.folded(new Map([[0, 89]]), 20);
    assert.equal(unfolded.isEmpty, false);
    unfolded.folded(new Map([[0, 90]]), 30);
    assert.equal(unfolded.isEmpty, true);
  });
});

/** Fills the topic and folds it after `ms` milliseconds, `times` times. */
function foldedAfter(unfolded: Unfolded, from: number, ms: number, times: number): number {
  let now = from;
  for (let time = 0; time < times; time += 1) {
    let next = now;
    for (let filled = 0; unfolded.admits('flood', 500, now); filled += 500) {
      assert.ok(filled <= windows.most + 2 * ownPart, 'it is full at some time');
      unfolded.begin('flood', 0, 500, now);
      next += 1;
      unfolded.appended('flood', 0, 500, next, now);
    }
    now += ms;
    unfolded.folded(new Map([[0, Number.MAX_SAFE_INTEGER]]), now);
  }
  return now;
}

describe('the window of a topic', () => {
  it('widens while what fills it is folded in time', () => {
    const unfolded = new Unfolded();
    foldedAfter(unfolded, 0, 100, 80);
    assert.equal(unfolded.window, windows.most);
  });

  it('narrows while it is folded late, and never below what it is at least', () => {
    const unfolded = new Unfolded();
    const now = foldedAfter(unfolded, 0, 100, 20);
    const before = unfolded.window;
    foldedAfter(unfolded, now, 4 * lateness.never, 2);
    assert.ok(unfolded.window <= before / 2, `${before} → ${unfolded.window}`);
    foldedAfter(unfolded, now, 10 * lateness.never, 20);
    assert.equal(unfolded.window, windows.least);
  });

  it('takes for late what is later than it is at its best, where that is slow', () => {
    const unfolded = new Unfolded();
    const best = 600;
    foldedAfter(unfolded, 0, best, 10);
    assert.ok(unfolded.window > windows.first);
    const unhurried = new Unfolded();
    foldedAfter(unhurried, foldedAfter(unhurried, 0, 100, 1), best, 10);
    assert.equal(unhurried.window, windows.least);
  });

  it('widens once for each time that somebody had to wait', () => {
    const unfolded = new Unfolded();
    unfolded.begin('flood', 0, 3 * ownPart, 0);
    unfolded.appended('flood', 0, 3 * ownPart, 1, 0);
    assert.equal(unfolded.admits('flood', windows.first, 0), false);
    unfolded.folded(new Map([[0, 1]]), 100);
    const widened = unfolded.window;
    assert.ok(widened > windows.first);
    unfolded.begin('flood', 0, 10, 100);
    unfolded.appended('flood', 0, 10, 2, 100);
    unfolded.folded(new Map([[0, 2]]), 200);
    assert.equal(unfolded.window, widened);
  });

  /** Appends one record at a time and folds it after the given milliseconds; answers the window at the end. */
  function foldedOneByOne(unfolded: Unfolded, took: readonly number[], from = 0): { window: number; now: number } {
    let now = from;
    for (const ms of took) {
      unfolded.begin('flood', 0, 10, now);
      unfolded.appended('flood', 0, 10, now + ms, now);
      now += ms;
      unfolded.folded(new Map([[0, now]]), now);
    }
    return { window: unfolded.window, now };
  }

  it('remembers for half a minute, and for another, how early a topic was folded', () => {
    const unfolded = new Unfolded();
    const slow = 600;
    assert.ok(slow > lateness.never && slow > 100 + lateness.more);
    foldedOneByOne(unfolded, [100]);
    const soon = foldedOneByOne(unfolded, [slow], 31_000);
    assert.ok(soon.window < windows.first, 'the window can shrink further');
    const later = foldedOneByOne(unfolded, [slow], 62_000);
    assert.equal(later.window, soon.window, 'it shrank before');
  });

  it('takes for late what takes so long that it always is, whatever its best', () => {
    const best = lateness.always - lateness.more / 2;
    const unfolded = new Unfolded();
    const { window, now } = foldedOneByOne(unfolded, [best, best, best]);
    const late = lateness.always + lateness.more / 4;
    assert.ok(late < best + lateness.more);
    assert.ok(foldedOneByOne(unfolded, [late], now).window < window);
  });

  it('takes appends that are remembered as one to be as old as the first of them', () => {
    const unfolded = new Unfolded();
    const append = (through: number, at: number): void => {
      unfolded.begin('flood', 0, 10, at);
      unfolded.appended('flood', 0, 10, through, at);
    };
    for (let through = 1; through <= 64; through += 1) append(through, 0);
    append(65, 900);
    unfolded.folded(new Map([[0, 63]]), 50);
    assert.equal(unfolded.window, windows.first);
    unfolded.folded(new Map([[0, 65]]), 950);
    assert.ok(unfolded.window < windows.first);
  });

  it('narrows once for all that was appended before it was narrowed', () => {
    const unfolded = new Unfolded();
    for (let through = 0; through <= 10; through += 1) {
      unfolded.begin('flood', 0, 10, 0);
      unfolded.appended('flood', 0, 10, through, 0);
    }
    unfolded.folded(new Map([[0, 0]]), 100);
    for (let through = 1; through <= 10; through += 1) unfolded.folded(new Map([[0, through]]), 1_000 + through);
    assert.equal(unfolded.window, windows.first / 2);
  });
});
