// Bodies that are sent piece by piece, on a real connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'vitest';
import { writePieces } from '../../../api/http/pieces.ts';

it('a body in pieces frees its head once the head was sent, and the answer is complete', async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<ServerResponse>();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first ');
    await gate.promise;
    yield Buffer.from('second');
  }
  const server = createServer((_, response) => {
    response.writeHead(200, ['X-Long', 'x'.repeat(1_000), 'Content-Type', 'text/plain']);
    void writePieces(response, { pieces });
    asked.resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const [answer] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    let body = '';
    answer.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    await once(answer, 'data');
    const response = await asked.promise;
    const kept = (response as unknown as { _header: string })._header;
    assert.ok(response.headersSent);
    assert.ok(kept.length < 10, `${kept.length} characters of the head are kept`);
    gate.resolve();
    await once(answer, 'end');
    assert.equal(body, 'first second');
    assert.equal(answer.headers['x-long']?.length, 1_000);
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
  } finally {
    server.close();
  }
});
