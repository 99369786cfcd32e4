// Deadlines in a process that is busy itself: what has arrived by then is in time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'vitest';
import { DeadlinePassed, within } from '../../../platform/process/deadline.ts';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('a deadline', () => {
  it('passes where there is no answer', async () => {
    const began = performance.now();
    await assert.rejects(within(30, new Promise(() => {})), DeadlinePassed);
    assert.ok(performance.now() - began >= 29);
  });

  it('gives the answer, or the failure, of what is in time', async () => {
    assert.equal(await within(1_000, Promise.resolve(7)), 7);
    await assert.rejects(within(1_000, Promise.reject(new Error('broken'))), /^Error: broken$/);
  });

  it('does not pass over an answer that arrived while this process was busy elsewhere', async (t) => {
    const server = createServer((socket) => socket.on('data', (bytes) => socket.write(bytes)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.onTestFinished(() => {
      server.close();
    });
    const socket: Socket = connect((server.address() as { port: number }).port, '127.0.0.1');
    await once(socket, 'connect');
    t.onTestFinished(() => {
      socket.destroy();
    });
    for (let round = 0; round < 5; round += 1) {
      const answer = once(socket, 'data');
      socket.write('x');
      const asked = within(20, answer);
      // This process also writes the echo: first the echo is written, then the deadline passes, and only then is
      // anything read.
      await new Promise((resolve) => setImmediate(resolve));
      busyFor(60);
      await asked;
    }
  });
});
