// Claims about when flushes are due, whatever arrives and however long they take: nothing waits at an idle partition, flushes that are fast leave
// at least two thirds of the time to others, and nothing waits longer than a flush and the longest distance.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Micros } from '../../../core/units.ts';
import { FlushPace } from '../../../projectors/worker/flush-pace.ts';

const mostMs = 100;

type Arrival = { afterMs: number; flushMs: number };
type Flush = { began: Micros; ended: Micros; oldest: Micros };

/**
 * The flushes of a partition with these records, which come one at a time; each says how long a flush that includes it
 * would take.
 */
async function flushesOf(arrivals: readonly Arrival[]): Promise<Flush[]> {
  let now: Micros = 5_000_000;
  // The wall clock jumps around: durations must not depend on it.
  const pace = new FlushPace({ now: () => now % 7_919, elapsed: () => now }, mostMs);
  let at: Micros = now;
  const records = arrivals.map(({ afterMs, flushMs }) => {
    at += afterMs * 1_000;
    return { at, flushMs };
  });
  const flushes: Flush[] = [];
  for (let taken = 0; taken < records.length; ) {
    const first = records[taken];
    if (first === undefined) break;
    now = Math.max(now, first.at);
    now += Math.ceil(pace.pauseMs(0, 0) * 1_000);
    let flushMs = 0;
    for (let next = records[taken]; next !== undefined && next.at <= now; next = records[taken]) {
      flushMs = Math.max(flushMs, next.flushMs);
      taken += 1;
    }
    const began = now;
    await pace.flushing(async () => {
      now += flushMs * 1_000;
    });
    flushes.push({ began, ended: now, oldest: first.at });
  }
  return flushes;
}

const arrivals = (most: number) =>
  fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), flushMs: fc.integer({ min: 1, max: most }) }), {
    minLength: 1,
    maxLength: 40,
  });

describe('flushes', () => {
  it('wait no longer because a clock that has no other one for durations steps back', async () => {
    let now: Micros = 10_000_000_000;
    const pace = new FlushPace({ now: () => now }, mostMs);
    await pace.flushing(async () => {
      now += 50_000;
    });
    now -= 3_600_000_000;
    assert.equal(pace.pauseMs(0, 0), 0);
  });

  it('begin at once at a partition that has rested for twice as long as its last one took', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(300), async (given) => {
        const flushes = await flushesOf(given);
        for (const [index, { began, oldest }] of flushes.entries()) {
          const before = flushes[index - 1];
          const rested = before === undefined || oldest >= before.began + 3 * (before.ended - before.began);
          if (rested) assert.equal(began, oldest);
        }
      }),
    );
  });

  it('leave two thirds of the time to others, as long as they are fast', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(Math.floor(mostMs / 3)), async (given) => {
        const flushes = await flushesOf(given);
        for (const [index, { began, ended }] of flushes.entries()) {
          const next = flushes[index + 1];
          if (next !== undefined) assert.ok(next.began - began >= 3 * (ended - began));
        }
      }),
    );
  });

  it('keep nothing waiting for longer than the flush before and the longest distance', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(300), async (given) => {
        const flushes = await flushesOf(given);
        for (const [index, { began, oldest }] of flushes.entries()) {
          const before = flushes[index - 1];
          const took = before === undefined ? 0 : before.ended - before.began;
          assert.ok(began - oldest <= Math.max(took, mostMs * 1_000));
        }
      }),
    );
  });
});
