// Claim: the proxy's patience with the API also ends where no connection comes about, as behind a network that drops packets.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it } from 'vitest';
import { OriginAway, openOrigin } from '../../../ops/proxy/origin.ts';

/** Listens and never accepts: once its queue is full, the kernel drops what asks for a connection. */
const deaf = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

it('gives up a connection that does not come about after 10 s, as a silence', async () => {
  const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'inherit'] });
  const queued: Socket[] = [];
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    for (let count = 0; count < 4; count += 1) queued.push(connect(Number(port), '127.0.0.1').on('error', () => {}));
    await once(queued[1] as Socket, 'connect');
    const origin = openOrigin(new URL(`http://127.0.0.1:${port}`), 'key');
    const beganAt = performance.now();
    await assert.rejects(origin.ask('GET', '/v1/games', {}, true), (error) => {
      return error instanceof OriginAway && error.wasSilent;
    });
    const waitedMs = performance.now() - beganAt;
    assert.ok(waitedMs >= 9_900, `${waitedMs} ms`);
    origin.close();
  } finally {
    for (const socket of queued) socket.destroy();
    child.kill('SIGKILL');
  }
});
