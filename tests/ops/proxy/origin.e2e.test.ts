// Claim: the proxy is as patient with the API as docs/proxy.md#with-the-api-away says, also where no connection comes about, as behind a network
// that drops packets.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { it } from 'vitest';
import { OriginAway, openOrigin } from '../../../ops/proxy/origin.ts';
import { startScriptedOrigin } from '../../support/http/scripted-origin.ts';

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

it('waits for an answer for 10 s where something else can be served, otherwise and for what follows for 40 s', async () => {
  const scripted = await startScriptedOrigin();
  const origin = openOrigin(new URL(scripted.url), 'key');
  const asked: ClientRequest[] = [];
  const note = (message: unknown) => void asked.push((message as { request: ClientRequest }).request);
  subscribe('http.client.request.created', note);
  try {
    /** How long the connection may be silent, before the answer and from then on. */
    const patience = async (fields: Record<string, string>, hasOther: boolean) => {
      const answering = origin.ask('GET', '/v1/games', fields, hasOther);
      const request = asked.at(-1) ?? assert.fail('nothing is asked');
      if (request.socket === null) await once(request, 'socket');
      const before = request.socket?.timeout;
      const answer = await answering;
      const after = answer.socket.timeout;
      await answer.resume().toArray();
      return [before, after];
    };
    assert.deepEqual(await patience({}, true), [10_000, 40_000]);
    assert.deepEqual(await patience({}, false), [40_000, 40_000]);
    assert.deepEqual(await patience({ prefer: 'wait=25' }, true), [40_000, 40_000]);
  } finally {
    unsubscribe('http.client.request.created', note);
    origin.close();
    await scripted.close();
  }
});
