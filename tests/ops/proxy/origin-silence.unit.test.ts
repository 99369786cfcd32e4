import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { OriginSilence } from '../../../ops/proxy/origin-silence.ts';

describe('the silence of the API', () => {
  it('is remembered for a minute after it was met last, and forgotten at the first word', () => {
    const silence = new OriginSilence();
    assert.equal(silence.isRemembered(0), false);
    silence.silent(10_000);
    assert.deepEqual(
      [10_000, 69_999, 70_000].map((now) => silence.isRemembered(now)),
      [true, true, false],
    );
    silence.silent(60_000);
    assert.equal(silence.isRemembered(119_999), true);
    silence.ended();
    assert.equal(silence.isRemembered(60_000), false);
  });

  it('is probed by one request at a time, and remembered for as long as that takes', () => {
    const silence = new OriginSilence();
    silence.silent(0);
    assert.deepEqual([silence.beginProbe(), silence.beginProbe(), silence.isRemembered(65_000)], [true, false, true]);
    silence.silent(66_000);
    assert.deepEqual([silence.beginProbe(), silence.beginProbe()], [true, false]);
    silence.ended();
    silence.silent(80_000);
    assert.equal(silence.beginProbe(), true);
  });
});
