// An instance that stops takes no more waits: docs/interface.md#waiting. Over HTTP the connections end at the same time, so it is seen here.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { Exchange } from '../../../api/pipeline/exchange.ts';
import { openWaiting } from '../../../api/pipeline/waiting.ts';
import { systemClock } from '../../../platform/process/clock.ts';

it('once it was closed, a request that prefers to wait is answered at once', () => {
  const waiting = openWaiting({ clock: systemClock, longestWait: 25 });
  const exchange = { route: { waits: true }, head: { prefer: 'wait=25' } } as unknown as Exchange;
  waiting.close();
  let asked = 0;
  const answer = waiting.untilNews(exchange, () => {
    asked += 1;
    return null;
  });
  assert.deepEqual([answer, asked, exchange.waits, waiting.count()], [null, 1, undefined, 0]);
});
