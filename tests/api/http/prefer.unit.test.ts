// How a Prefer header is read (RFC 7240): docs/interface.md#waiting.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { preferredWait } from '../../../api/http/prefer.ts';

const cases: readonly [string | null, number][] = [
  [null, 0],
  ['', 0],
  ['wait=25', 25],
  ['Wait = "25"', 25],
  ['respond-async, wait=10;foo="a,b"', 10],
  ['foo="wait=3, wait=4", WAIT=5', 5],
  ['foo="a\\"b, wait=3", wait=6', 6],
  ['wait=1, wait=9', 1],
  ['wait', 0],
  ['wait=', 0],
  ['wait=-1', 0],
  ['wait=1.5', 0],
  ['wait=x, wait=4', 0],
  ['wait=0', 0],
  ['wait=1234567890', 0],
  ['await=3', 0],
  ['"wait=3', 0],
  ['wait="3', 0],
  ['"a, wait=3', 0],
];

for (const [field, seconds] of cases) {
  it(`${JSON.stringify(field)} is ${seconds} s`, () => {
    assert.equal(preferredWait(field), seconds);
  });
}

it('reads the longest field in time that grows with its length', () => {
  const field = '"\\'.repeat(500_000);
  const began = process.cpuUsage();
  assert.equal(preferredWait(field), 0);
  assert.ok(process.cpuUsage(began).user < 2_000_000);
});
