// Claim: a read that is given up ends, at the API too, and its answer says what it may have cost. A violation would need a connection that
// outlives its read.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, it } from 'vitest';
import { openReader } from '../../../ops/mcp/reader.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function apiThat(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const [said, begin] of [
  ['nothing', () => {}],
  [
    'half an answer',
    (response: ServerResponse) => void response.writeHead(200, { 'content-length': '9' }).write('PAR1'),
  ],
] as const)
  it(`ends a read at the API that says ${said}, and tells that it may have been charged`, async () => {
    const ended = Promise.withResolvers<void>();
    const url = await apiThat((_, response) => {
      response.once('close', () => ended.resolve());
      begin(response);
    });
    const read = await openReader(url, 'key', 200).read('/v1/games/A/odds');
    assert.ok(read.kind === 'refused');
    assert.equal(read.problem.code, 'no-answer');
    assert.match(String(read.problem.detail), /no answer within 200 ms.*may have been charged/);
    await ended.promise;
  });

it('has the tag and the price of a final file from a HEAD, and reads the file of that tag', async () => {
  const asked: (string | undefined)[][] = [];
  const url = await apiThat(({ method, url: target, headers }, response) => {
    asked.push([method, target, headers['if-match'], headers.authorization]);
    const fields = { etag: '"a"', 'x-service-rowcount': '7', 'x-service-debited': '7' };
    response.writeHead(200, { ...fields, 'content-type': 'application/vnd.apache.parquet' }).end('PAR1');
  });
  const { file } = openReader(url, 'key');
  assert.equal((await file('/v1/games/A/closing-lines', 6)).kind, 'refused');
  const read = await file('/v1/games/A/closing-lines', 7);
  assert.ok(read.kind === 'file');
  assert.deepEqual([Buffer.from(read.bytes).toString(), read.charged], ['PAR1', 7]);
  const head = ['HEAD', '/v1/games/A/closing-lines', undefined, 'Bearer key'];
  assert.deepEqual(asked, [head, head, ['GET', '/v1/games/A/closing-lines', '"a"', 'Bearer key']]);
});
