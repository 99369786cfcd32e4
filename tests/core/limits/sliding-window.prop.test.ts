// The limit itself: docs/metering.md#sliding-window. What the table admits is compared with a list of all admissions, whatever the times of
// the requests.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { requestWindow } from '../../../core/limits/request-window.ts';
import { SlidingWindow } from '../../../core/limits/sliding-window.ts';
import { UnreportedUses } from '../../../core/limits/unreported-uses.ts';
import { WindowTable } from '../../../core/limits/window-table.ts';
import { windows } from '../../support/builders/request-windows.ts';

/** A window, and pauses between requests: in bursts, or long enough for the window to slide. */
const pauses = fc.constantFrom(...windows).chain((window) =>
  fc.record({
    window: fc.constant(window),
    given: fc.array(
      fc.oneof(
        fc.constant(0),
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: Math.floor(window.ms * 1.2) }),
        fc.constantFrom(window.ms - 1, window.ms - 0.5, window.ms, window.ms + 1),
      ),
      { minLength: 1, maxLength: 120 },
    ),
  }),
);

function timesOf(given: readonly number[]): number[] {
  let now = 1_000;
  return given.map((pause) => {
    now += pause;
    return now;
  });
}

describe('a sliding window', () => {
  // A violation would need an entry to leave before its time is over, or a refusal while fewer requests than the
  // limit are younger than the window is long.
  it('admits no more than the limit in any 60 seconds, and refuses nothing else', () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 7 }), ({ window: { ms, ...named }, given }, limit) => {
        const window = new SlidingWindow({ ms, ...named });
        const admitted: number[] = [];
        for (const now of timesOf(given)) {
          const counted = admitted.filter((time) => now - time < ms).length;
          const surelyCounted = admitted.filter((time) => now - time < ms + 2).length;
          const admission = window.admit(now, limit, 1);
          if (counted >= limit) assert.equal(admission.admitted, false, `${counted} counted at ${now}`);
          // Times are kept in whole milliseconds, rounded to the caller's disadvantage.
          if (surelyCounted < limit) assert.equal(admission.admitted, true, `${surelyCounted} counted at ${now}`);
          if (admission.admitted) admitted.push(now);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows what remains, and when more will', () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 7 }), ({ window: { ms, ...named }, given }, limit) => {
        const window = new SlidingWindow({ ms, ...named });
        for (const now of timesOf(given)) {
          const { admitted, remaining, resetMs } = window.admit(now, limit, 1);
          assert.ok(resetMs >= 0 && resetMs <= ms + 1, `${resetMs}`);
          if (!admitted) assert.equal(remaining, 0);
          if (remaining > 0) assert.equal(window.admit(now + resetMs, limit, 0).remaining, limit);
          if (remaining === 0) {
            assert.equal(window.admit(now, limit, 0).admitted, false);
            assert.equal(window.admit(now, limit, 1).admitted, false);
          }
          // A look into the future makes the window forget everything that has left it by then.
          if (remaining > 0) return;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('admits again exactly at its reset', () => {
    const window = new SlidingWindow(requestWindow);
    for (let request = 0; request < 30; request += 1) window.admit(request * 10, 30, 1);
    const { admitted, resetMs } = window.admit(1_000, 30, 1);
    assert.deepEqual([admitted, resetMs], [false, 59_000]);
    assert.equal(window.admit(59_999, 30, 1).admitted, false);
    assert.equal(window.admit(60_000, 30, 1).admitted, true);
  });

  it('applies a lowered limit at once', () => {
    const window = new SlidingWindow(requestWindow);
    for (let request = 0; request < 10; request += 1) window.admit(request, 10, 1);
    const { admitted, remaining, resetMs } = window.admit(100, 4, 1);
    assert.deepEqual([admitted, remaining, resetMs], [false, 0, 60_006 - 100]);
  });
});

describe('the windows of many', () => {
  it('count each subject by itself', () => {
    const table = new WindowTable();
    for (const subject of ['a', 'b']) {
      for (let request = 0; request < 3; request += 1) assert.equal(table.admit(subject, 3, request).admitted, true);
      assert.equal(table.admit(subject, 3, 3).admitted, false);
    }
  });

  it('are forgotten once they count nothing', () => {
    const table = new WindowTable();
    for (let subject = 0; subject < 1_000; subject += 1) table.admit(`${subject}`, 3, subject);
    assert.equal(table.size, 1_000);
    for (let request = 0; request < 500; request += 1) table.admit('late', 1_000, 61_000 + request / 100);
    assert.equal(table.size, 1);
  });

  it('are bounded in number; strangers beyond are never admitted more', () => {
    const table = new WindowTable({ mostSubjects: 100 });
    let admitted = 0;
    for (let subject = 0; subject < 50_000; subject += 1) if (table.admit(`${subject}`, 2, 0).admitted) admitted += 1;
    assert.ok(table.size <= 100 + 1_024, `${table.size} windows`);
    assert.ok(admitted <= 100 + 1_024 * 2, `${admitted} admitted`);
    assert.equal(table.admit('7', 2, 0).remaining, 0);
    assert.equal(table.admit('7', 2, 0).admitted, false);
  });

  it('keep a stranger in the window that it shares until that is forgotten, also when there is room again', () => {
    const table = new WindowTable({ mostSubjects: 2 });
    for (const subject of ['a', 'b']) table.admit(subject, 1, 0);
    assert.equal(table.admit('stranger', 1, 30_000).admitted, true);
    assert.equal(table.admit('stranger', 1, 60_001).admitted, false);
    assert.equal(table.size, 1);
    assert.equal(table.admit('stranger', 1, 90_001).admitted, true);
  });
});

describe('uses that the shared count does not know', () => {
  // A violation would need a use that is reported under no number or two, or as older than it is.
  it('are each reported under one number until they are, and never as older than they are', () => {
    const step = fc.record({
      after: fc.integer({ min: 0, max: 18_000 }),
      again: fc.boolean(),
      known: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
    });
    const steps = fc.array(step, { minLength: 30, maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(fc.constantFrom(...windows), steps, fc.nat(1_000), ({ ms }, given, first) => {
        const uses = new UnreportedUses(first, ms);
        const added: number[] = [];
        let now = 1_000;
        let through = 0;
        for (const { after, again, known } of given) {
          // In halves of a millisecond, as long beside the window as beside a minute.
          now += (after * (ms / 60_000)) / 2;
          for (let count = again ? 2 : 1; count > 0; count -= 1) {
            uses.add(now);
            added.push(now);
          }
          const { first: from, ages } = uses.report(now);
          let number = from - first;
          assert.ok(number >= through, `${number} is reported already`);
          assert.ok(
            added.slice(through, number).every((time) => now - time >= ms - 2),
            'what is left out has left the window',
          );
          for (let at = 0; at < ages.length; at += 2)
            for (let count = 0; count < (ages[at + 1] as number); count += 1) {
              assert.ok((ages[at] as number) <= now - (added[number] as number) + 1e-9, 'no older than it is');
              number += 1;
            }
          assert.equal(number, added.length);
          // The shared count has taken part of the report; uses that came together may be taken one at a time.
          const some = Math.min(known, added.length - (from - first));
          if (some === 0) continue;
          uses.reported({ first: from, ages: [0, some] });
          through = from - first + some;
        }
      }),
    );
  });
});
