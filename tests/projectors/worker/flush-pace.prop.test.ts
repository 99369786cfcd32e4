// Claims about when flushes are due, whatever arrives and however long they take: nothing waits at an idle partition, flushes that are fast leave
// two thirds of the time to others; a source that the last one had nothing of waits only for its end, one that it had little of as long again,
// and one that keeps pushing beside others waits longest; and nothing waits longer than a flush and the longest distance.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Micros } from '../../../core/units.ts';
import { FlushPace } from '../../../projectors/worker/flush-pace.ts';

const mostMs = 100;

type Arrival = { afterMs: number; flushMs: number; source?: string; bytes?: number };
/** `cameAt`: when the first record of each source came. `bytes`: of each source. */
type Flush = {
  began: Micros;
  ended: Micros;
  oldest: Micros;
  sources: ReadonlySet<string>;
  cameAt: ReadonlyMap<string, Micros>;
  bytes: ReadonlyMap<string, number>;
};

/**
 * The flushes of a partition with these records, which come one at a time; each says how long a flush that includes it
 * would take.
 */
async function flushesOf(arrivals: readonly Arrival[]): Promise<Flush[]> {
  let now: Micros = 5_000_000;
  // The wall clock jumps around: durations must not depend on it.
  const pace = new FlushPace({ now: () => now % 7_919, elapsed: () => now }, mostMs);
  let at: Micros = now;
  const records = arrivals.map(({ afterMs, flushMs, source = 'feed', bytes = 100 }) => {
    at += afterMs * 1_000;
    return { at, flushMs, source, bytes };
  });
  const flushes: Flush[] = [];
  for (let taken = 0; taken < records.length; ) {
    const first = records[taken];
    if (first === undefined) break;
    now = Math.max(now, first.at);
    let flushMs = 0;
    const cameAt = new Map<string, Micros>();
    const bytes = new Map<string, number>();
    const takeUntil = (until: Micros): void => {
      for (let next = records[taken]; next !== undefined && next.at <= until; next = records[taken]) {
        flushMs = Math.max(flushMs, next.flushMs);
        cameAt.set(next.source, cameAt.get(next.source) ?? next.at);
        bytes.set(next.source, (bytes.get(next.source) ?? 0) + next.bytes);
        pace.folded([
          { headers: { source: next.source }, timestamp: next.at, bytes: new Uint8Array(next.bytes), attached: null },
        ]);
        taken += 1;
      }
    };
    takeUntil(now);
    // Each record that arrives during the pause may shorten it.
    for (;;) {
      const due = now + Math.ceil(pace.pauseMs(0, 0) * 1_000);
      const next = records[taken]?.at ?? Number.POSITIVE_INFINITY;
      now = Math.min(due, Math.max(now, next));
      if (now >= due) break;
      takeUntil(now);
    }
    const began = now;
    await pace.flushing(async () => {
      now += flushMs * 1_000;
    });
    flushes.push({ began, ended: now, oldest: first.at, sources: new Set(cameAt.keys()), cameAt, bytes });
  }
  return flushes;
}

const arrivals = (most: number, sources: readonly string[] = [], apartMs = 400) =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: apartMs }),
      flushMs: fc.integer({ min: 1, max: most }),
      source: fc.constantFrom('feed', ...sources),
      bytes: fc.constantFrom(100, 100, 400),
    }),
    { minLength: 1, maxLength: 40 },
  );

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

  it('begin at once for a source that the last one had nothing of, soon for one that it had little of, and late for one that keeps pushing', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(Math.floor(mostMs / 6), ['second', 'third'], 40), async (given) => {
        const flushes = await flushesOf(given);
        for (const [index, { began, ended, sources, bytes }] of flushes.entries()) {
          const next = flushes[index + 1];
          if (next === undefined) continue;
          const others = flushes.slice(0, index + 2).some((each) => !each.sources.isSubsetOf(next.sources));
          const all = [...bytes.values()].reduce((sum, one) => sum + one, 0);
          const littleOf = [...bytes].filter(([, one]) => one < all / bytes.size / 2).map(([source]) => source);
          if (next.sources.isSubsetOf(sources)) {
            const isAlone = !others && next.sources.size === 1;
            const since = littleOf
              .filter((source) => next.sources.has(source))
              .map((source) => next.cameAt.get(source));
            if (since.length > 0) {
              const first = Math.min(...since.map((at) => at ?? 0));
              assert.equal(next.began, Math.max(ended, began + 2 * (ended - began), first));
            } else assert.ok(next.began - began >= (isAlone ? 3 : 6) * (ended - began));
          } else {
            const came = [...next.cameAt].filter(([source]) => !sources.has(source)).map(([, at]) => at);
            assert.equal(next.began, Math.max(ended, Math.min(...came)));
          }
        }
      }),
    );
  });

  it('do not keep a source waiting for one that keeps pushing', async () => {
    const flood = Array.from({ length: 20 }, () => ({ afterMs: 2, flushMs: 10, source: 'flood' }));
    const flushes = await flushesOf([
      { afterMs: 0, flushMs: 10, source: 'small' },
      ...flood,
      { afterMs: 1, flushMs: 10, source: 'small' },
      ...flood,
    ]);
    const began = flushes.map((flush) => (flush.began - (flushes[0]?.began ?? 0)) / 1_000);
    assert.deepEqual(began.slice(0, 4), [0, 10, 41, 101]);
  });

  it('do not keep a source that pushes little waiting for one that floods', async () => {
    const turn: Arrival[] = [
      { afterMs: 30, flushMs: 10, source: 'small' },
      ...Array.from({ length: 8 }, () => ({ afterMs: 0, flushMs: 10, source: 'flood' })),
    ];
    const flushes = await flushesOf(Array.from({ length: 5 }, () => turn).flat());
    const began = flushes.map((flush) => (flush.began - (flushes[0]?.began ?? 0)) / 1_000);
    assert.deepEqual(began, [0, 30, 60, 90, 120]);
  });

  it('keep nothing waiting for longer than the flush before and the longest distance', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(300, ['second', 'third']), async (given) => {
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
