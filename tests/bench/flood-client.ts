// A feed key that floods, as a program: so many connections that stay open, each sending the next body as soon as it has an answer, whatever
// that is; 0 stands for none. An upload that stalls has one byte of 8 MiB missing, until the gateway answers or closes it. Bodies are made beforehand, so that it costs little beside what it measures. Prints one line of JSON when its input ends.
//   node flood-client.ts URL KEY KIND CONNECTIONS
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { bodiesOf, type FloodKind } from './flood-bodies.ts';
import { closeConnections, request } from './http.ts';

const [address = '', key = '', kind = '', connections = '8'] = process.argv.slice(2);
const stalls = kind === 'stalled uploads';
const bodies = stalls ? [] : bodiesOf(kind as Exclude<FloodKind, 'stalled uploads'>).map((body) => gzipSync(body));
const stalledBytes = 8 * 1024 * 1024;
const statuses: Record<number, number> = {};
const stalled = new Set<Socket>();
let stopped = false;
let nth = 0;

async function flood(): Promise<void> {
  while (!stopped) {
    const status = await (stalls ? stall() : push());
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

async function push(): Promise<number> {
  nth += 1;
  const body = bodies[nth % bodies.length];
  const answer = request(address, key, { method: 'POST', body, encoding: 'gzip' });
  return answer.then(
    ({ status }) => status,
    () => 0,
  );
}

/** The status with which the gateway ends the upload; 0 if it only closes it, or the flood ends. */
function stall(): Promise<number> {
  const { hostname, port, pathname } = new URL(address);
  const { promise, resolve } = Promise.withResolvers<number>();
  const socket = connect(Number(port), hostname);
  stalled.add(socket);
  socket.write(
    [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${stalledBytes}`,
      '\r\n',
    ].join('\r\n'),
  );
  socket.write(Buffer.alloc(stalledBytes - 1, ' '));
  let status = 0;
  socket.on('data', (head: Buffer) => {
    status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(head.toString('latin1'))?.[1] ?? 0);
    socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    stalled.delete(socket);
    resolve(status);
  });
  return promise;
}

console.log('ready');
const flooding = Promise.all(Array.from({ length: Number(connections) }, flood));
process.stdin.resume().once('end', () => {
  stopped = true;
  for (const socket of stalled) socket.destroy();
});
await flooding;
closeConnections();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ statuses, cpuSeconds: (user + system) / 1e6 }));
