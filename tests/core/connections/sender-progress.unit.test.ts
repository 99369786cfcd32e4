// Decides which sender of a body is too slow, by how much has arrived and when it was looked at: SECURITY.md, S15.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { SenderProgress } from '../../../core/connections/sender-progress.ts';

const stretchMs = 5_000;
const lookMs = 500;
const pace = { stretchLooks: 10, stretchBytes: 80_000, mostGapMs: 2_500 };

type Look = { arrived: number; isWaiting?: boolean; afterMs?: number };

/** When a sender is found too slow; null: not within two minutes. `look`: what is seen at which time. */
function foundAt(look: (at: number, nth: number) => Look): number | null {
  const first = look(0, 0);
  const sender = new SenderProgress(pace, 0, first.arrived, first.isWaiting ?? false);
  for (let at = 0, nth = 1; at < 120_000; nth += 1) {
    const { arrived, isWaiting = false, afterMs = lookMs } = look(at + lookMs, nth);
    at += afterMs;
    if (sender.isTooSlow(at, arrived, isWaiting)) return at;
  }
  return null;
}

it('finds a sender of single bytes after one stretch, whenever it slows down', () => {
  assert.equal(
    foundAt((at) => ({ arrived: at / 500 })),
    stretchMs,
  );
  for (const slows of [7_000, 12_000, 31_000])
    assert.ok((foundAt((at) => ({ arrived: Math.min(at, slows) * 17 })) ?? Infinity) <= slows + 2 * stretchMs);
});

it('waits for a sender of just enough, also if it sends in bursts', () => {
  assert.equal(
    foundAt((at) => ({ arrived: at * 16 })),
    null,
  );
  assert.equal(
    foundAt((at) => ({ arrived: Math.floor(at / 2_500) * 2_500 * 16 })),
    null,
  );
});

it('does not blame a sender while its pieces wait for their turn', () => {
  assert.equal(
    foundAt(() => ({ arrived: 0, isWaiting: true })),
    null,
  );
});

it('finds a slow sender of which a piece waits now and then', () => {
  const found = foundAt((_, nth) => ({ arrived: nth, isWaiting: nth % 5 === 0 }));
  assert.ok(found !== null && found <= 2 * stretchMs, String(found));
});

it('finds a slow sender on a busy machine, but not right behind a long gap', () => {
  const busy = (nth: number): number => (nth % 4 === 0 ? stretchMs : lookMs);
  const found = foundAt((_, nth) => ({ arrived: nth, afterMs: busy(nth) }));
  assert.ok(found !== null && found <= 4 * stretchMs, String(found));
  assert.equal(
    foundAt(() => ({ arrived: 0, afterMs: stretchMs })),
    null,
  );
});
