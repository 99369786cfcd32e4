// Large records before the log: one of a key at a time, until it is folded and for as long again, and none that holds up others for long.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { LargeRecords, largeCost } from '../../../core/scheduling/large-records.ts';
import { stalledMs } from '../../../core/scheduling/unfolded.ts';

const cost = largeCost + 1;

/** A record of `flood` in partition 0, up to offset 7, appended at 0 ms. */
function openOne(): LargeRecords {
  const large = new LargeRecords();
  large.begin('flood', 0, cost, 0);
  large.appended('flood', 0, 7);
  return large;
}

describe('large records', () => {
  it('are one of a key at a time, whatever its small ones and other keys do', () => {
    const large = openOne();
    large.begin('flood', 1, largeCost, 0);
    assert.deepEqual(
      [large.admits('flood', cost, 1), large.admits('flood', largeCost, 1), large.admits('other', cost, 1)],
      [false, true, true],
    );
  });

  it('make room as long behind their fold as they took, in their own partition', () => {
    const large = openOne();
    large.folded(
      new Map([
        [0, 6],
        [1, 100],
      ]),
      10,
    );
    assert.equal(large.admits('flood', cost, 11), false);
    large.folded(new Map([[0, 7]]), 20);
    assert.deepEqual(
      [large.admits('flood', cost, 39), large.admits('flood', largeCost, 39), large.admits('flood', cost, 40)],
      [false, true, true],
    );
  });

  it('make room within half a second of their fold, however long they took', () => {
    const large = openOne();
    large.folded(new Map([[0, 7]]), 3_000);
    assert.deepEqual([large.admits('flood', cost, 3_499), large.admits('flood', cost, 3_500)], [false, true]);
  });

  it('make room when they are not in the log', () => {
    const large = new LargeRecords();
    large.begin('flood', 0, cost, 0);
    large.failed('flood', 1);
    assert.equal(large.admits('flood', cost, 1), false);
    large.failed('flood', 0);
    assert.equal(large.admits('flood', cost, 1), true);
    const logged = openOne();
    logged.failed('flood', 0);
    assert.equal(
      logged.admits('flood', cost, 1),
      false,
      'what is in the log is to be folded, whatever fails behind it',
    );
  });

  it('hold up none where one partition stands still, nor where all do', () => {
    const halted = openOne();
    for (let ms = 1_000; ms <= stalledMs + 1_000; ms += 1_000) halted.folded(new Map([[1, ms]]), ms);
    assert.equal(halted.admits('flood', cost, stalledMs + 1), true);
    const away = openOne();
    assert.equal(away.admits('flood', cost, stalledMs), false);
    for (const partition of [1, 2, 3]) {
      assert.equal(away.admits('flood', cost, stalledMs + 1), true, `partition ${partition}`);
      away.begin('flood', partition, cost, stalledMs + 1);
      away.appended('flood', partition, 1);
    }
    away.folded(new Map([[3, 1]]), stalledMs + 2);
    away.begin('flood', 0, cost, stalledMs + 3);
    assert.equal(away.admits('flood', cost, stalledMs + 4), false, 'they are folded again');
  });
});
