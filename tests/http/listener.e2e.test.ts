// Claim: a listener that stops ends connections that have asked for nothing, as browsers open them beforehand; one that never ended would
// keep it from stopping. What is being answered still gets its answer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'vitest';
import { startApi } from '../support/http/api-http.ts';
import { until } from '../support/services/until.ts';

it('a stop waits for no connection that has asked for nothing', async () => {
  // No other limit ends these connections.
  const api = await startApi({ limits: { connectionTimeoutMs: 1e9 } });
  await api.log('MLB_STL_NYY_20260805', 5).append(3);
  const { port, hostname } = new URL(api.url);
  const silent = Array.from({ length: 8 }, () => connect(Number(port), hostname).resume());
  const ended = silent.map((socket) =>
    once(
      socket.on('error', () => {}),
      'close',
    ),
  );
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const { calls } = api.catalog;
  const before = JSON.stringify(calls);
  const path = '/v1/games/MLB_STL_NYY_20260805/sportsbook-lines/segments?cursor=1:3';
  const waiting = api.get(path, { headers: { prefer: 'wait=25' } });
  await until('the request waits', () => JSON.stringify(calls) !== before);

  await api.close();
  await Promise.all(ended);
  assert.equal((await waiting).status, 200);
});
