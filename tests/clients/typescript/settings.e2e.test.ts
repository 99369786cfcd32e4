// Settings with which no request can be sent are refused when the client is made, and the refusal does not show the key: it may land in a log
// (docs/clients.md#asking-again).
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { Client } from '../../../clients/typescript/src/client.ts';

it('the refusal of a setting does not show the key', () => {
  const secret = 'svc_live_SECRET';
  for (const settings of [
    { baseUrl: 'http://127.0.0.1', apiKey: `${secret}\nsecond` },
    // The two in the wrong order.
    { baseUrl: secret, apiKey: 'http://127.0.0.1' },
  ])
    assert.throws(
      () => new Client(settings),
      (error: unknown) => error instanceof RangeError && !error.message.includes(secret),
    );
});

it('spaces and line ends around an address and a key are dropped', () => {
  new Client({ baseUrl: ' http://127.0.0.1\r\n', apiKey: '\tsvc_live_x\n' });
});
