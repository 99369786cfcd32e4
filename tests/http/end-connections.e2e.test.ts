// Claim: a listener that closes sends each answer under way to its end, however slowly it is read, and then ends the connection, although its
// client would keep it. A violation is a file cut short, or a stop that waits until the client gives its connection up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, it } from 'vitest';
import { endConnectionsBehindAnswers } from '../../http/end-connections.ts';
import { until } from '../support/services/until.ts';

const large = Buffer.alloc(16 * 1024 * 1024, 'x');

/** A listener whose answer is written when the test says so, and a connection that has asked for it and is not read. */
async function asked() {
  const answer = Promise.withResolvers<Buffer>();
  const arrived = Promise.withResolvers<void>();
  // No other limit ends the connection.
  const app = Fastify({ forceCloseConnections: 'idle', keepAliveTimeout: 1e9 });
  endConnectionsBehindAnswers(app);
  app.get('/', (_request, reply) => {
    reply.hijack();
    arrived.resolve();
    void answer.promise.then((body) => {
      reply.raw.writeHead(200, ['Content-Length', String(body.length)]).end(body);
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;
  const read = async (): Promise<number> => {
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await once(socket, 'end');
    return bytes;
  };
  return { app, answer, read };
}

describe('a listener that closes', () => {
  it('ends a connection behind the answer that it gave meanwhile', async () => {
    const { app, answer, read } = await asked();
    const closed = app.close();
    await until('it closes', () => !app.server.listening);
    answer.resolve(Buffer.from('late'));
    assert.ok((await read()) > 'late'.length);
    await closed;
  });

  it('sends an answer that it has been given whole to its end', async () => {
    const { app, answer, read } = await asked();
    answer.resolve(large);
    await answer.promise;
    const closed = app.close();
    assert.ok((await read()) > large.length);
    await closed;
  });
});
