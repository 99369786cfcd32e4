// Decides which reader of an answer is too slow by how much it has read and when: SECURITY.md, S15.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { ReaderProgress, usualReaderPace } from '../../../core/connections/reader-progress.ts';

const { nothingMs, stretchMs, stretchBytes, mostGapMs } = usualReaderPace;

/**
 * When a reader that has taken `taken(at)` bytes at `at` is found too slow, checked once a second; null: not within ten
 * minutes.
 */
function foundAt(taken: (at: number) => number): number | null {
  const reader = new ReaderProgress(usualReaderPace, 0);
  for (let at = 1_000; at <= 600_000; at += 1_000) if (reader.isTooSlow(at, taken(at))) return at;
  return null;
}

it('finds a reader that takes nothing, whenever it stops', () => {
  assert.equal(
    foundAt(() => 0),
    nothingMs,
  );
  assert.equal(
    foundAt(() => 1e9),
    nothingMs,
  );
  for (const stops of [2_000, 20_000, 100_000])
    assert.equal(
      foundAt((at) => Math.min(at, stops) * 100),
      stops + nothingMs,
    );
});

it('waits for a reader that takes just enough, however long it reads', () => {
  const enough = Math.ceil(stretchBytes / (stretchMs / 1_000));
  assert.equal(
    foundAt((at) => (at / 1_000) * enough),
    null,
  );
  // In bursts, as a network delivers them.
  assert.equal(
    foundAt((at) => Math.floor(at / 8_000) * 8 * enough * 1.4),
    null,
  );
});

it('finds a reader that takes single bytes after one stretch', () => {
  assert.equal(
    foundAt((at) => at / 1_000),
    stretchMs + 1_000,
  );
  const burst = (at: number) => (at < 10_000 ? at * 1_000 : 10_000_000 + at / 1_000);
  assert.equal(foundAt(burst), 2 * stretchMs + 1_000);
});

it('bytes taken before the first check do not count', () => {
  const reader = new ReaderProgress(usualReaderPace, 0);
  for (let at = 1_000; at < nothingMs; at += 1_000) assert.equal(reader.isTooSlow(at, 5_000_000), false);
  assert.equal(reader.isTooSlow(nothingMs, 5_000_000), true);
});

it('time in which the service was kept from running does not count', () => {
  const frozenMs = 10 * stretchMs;
  const reader = new ReaderProgress(usualReaderPace, 0);
  assert.equal(reader.isTooSlow(1_000, 0), false);
  // The first check after it counts as one that came a little late; the reader has had no chance since.
  assert.equal(reader.isTooSlow(frozenMs, 0), false);
  for (let late = 1_000; late < nothingMs - 1_000 - mostGapMs; late += 1_000)
    assert.equal(reader.isTooSlow(frozenMs + late, 0), false);
  assert.equal(reader.isTooSlow(frozenMs + nothingMs - 1_000 - mostGapMs, 0), true);
});

it('time in which the service was kept from running is no part of a stretch either', () => {
  const reader = new ReaderProgress(usualReaderPace, 0);
  assert.equal(reader.isTooSlow(1_000, 0), false);
  reader.moved(2_000);
  assert.equal(reader.isTooSlow(2 * stretchMs, 1), false);
});
