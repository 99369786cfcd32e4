// Sockets are capped, in all and of one address, and a crowd of them that ask nothing keeps none of the others from an answer.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { startApi } from './support/api-http.ts';
import { until } from './support/services/until.ts';

/** Opens sockets that send what is no request; those that were told so, and so were let in. */
async function openSockets(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const all = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}));
  const letIn = await Promise.all(
    all.map((socket) => {
      socket.write('no request\r\n\r\n');
      return new Promise<boolean>((done) => {
        socket.once('data', () => done(true));
        socket.once('close', () => done(false));
      });
    }),
  );
  return all.filter((_, at) => letIn[at]);
}

/** Opens sockets that send nothing and stay. */
function hold(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((done) => {
          const socket = connect(Number(port), hostname, () => done(socket)).on('error', () => {});
        }),
    ),
  );
}

for (const [what, limits, proxyHops] of [
  ['of one address', { connectionsOfAddress: 8 }, 0],
  ['in all, those of our own proxies too', { connections: 8, connectionsOfAddress: 1 }, 1],
] as const) {
  it(`connections are capped: ${what}`, { timeout: 20_000 }, async () => {
    const api = await startApi({ limits, proxyHops });
    const held = await hold(api.url, 5);
    // Held sockets take five places; three are left.
    const letIn = await openSockets(api.url, 3);
    assert.equal(letIn.length, 3);
    const all = await hold(api.url, 3);
    assert.equal((await openSockets(api.url, 4)).length, 0, 'beyond the cap no byte is read');
    for (const socket of [...held, ...all]) socket.destroy();
    const answered = async () => (await api.get('/health', { key: null }).catch(() => null))?.status === 200;
    await until('room is given back', answered);
    await api.close();
  });
}
