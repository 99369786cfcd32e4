// An idle connection ends after a while, unless the service still owes an answer on it: work may take longer than that.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { it } from 'vitest';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { until } from '../../support/services/until.ts';

it('a connection that waits for its answer outlives the time of one on which nothing moves', async (t) => {
  const server = createServer((_, response) => void delay(1_000).then(() => response.end('done')));
  server.setTimeout(200);
  cutSlowReaders(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  assert.equal(await answer.text(), 'done');
  const idle = connect(port, '127.0.0.1').resume();
  await until('an idle connection ends', () => idle.closed, { withinMs: 10_000 });
});
