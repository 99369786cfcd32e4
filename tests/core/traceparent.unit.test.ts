import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readTraceparent, traceparentOf } from '../../core/traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('says which span it continues, and whether that is kept', () => {
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true });
    assert.equal(readTraceparent(`00-${traceId}-${spanId}-03`)?.isSampled, true);
    assert.equal(readTraceparent(`00-${traceId}-${spanId}-02`)?.isSampled, false);
    assert.deepEqual(readTraceparent(traceparentOf({ traceId, spanId })), { traceId, spanId, isSampled: true });
  });

  it('counts for nothing in any other form', () => {
    const zeros = (digits: number) => '0'.repeat(digits);
    for (const text of [
      null,
      undefined,
      '',
      `01-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${zeros(32)}-${spanId}-01`,
      `00-${traceId}-${zeros(16)}-01`,
      `00-${traceId}-${spanId}`,
    ])
      assert.equal(readTraceparent(text), null, String(text));
  });
});
