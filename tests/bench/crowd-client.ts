// A program that opens a crowd of connections, from many addresses:
// - idle: sockets that got one answer and then stay open in silence;
// - slow: readers who request more than the buffers on the way hold, and read none of it;
// - trickle: senders who send a head byte by byte, never finish it, and connect again when they are cut off.
// Prints a line of JSON once all are connected, and exits when its standard input ends.
//   node crowd-client.ts URL KEY,… COUNT idle|slow|trickle
import { connect, type Socket } from 'node:net';

const [address = '', authorization = '', count = '0', kind = 'idle'] = process.argv.slice(2);
const url = new URL(address);
const keys = authorization.split(',');
const askedBy = (key: string | undefined) =>
  `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
/** Requests per connection: for a slow reader, more answers than the buffers of a socket hold. */
const inARow = kind === 'slow' ? 6 : 1;
const atOnce = 200;

const sockets: Socket[] = [];
let refused = 0;

function join(place: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () =>
      socket.write(askedBy(keys[place % keys.length]).repeat(inARow)),
    );
    socket.on('error', () => {
      refused += 1;
      resolve();
    });
    socket.once('data', (answer: Buffer) => {
      if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) {
        refused += 1;
        socket.destroy();
        return resolve();
      }
      if (kind === 'slow') socket.pause();
      sockets.push(socket);
      resolve();
    });
  });
}

const addresses = 8;
const everyMs = 2_000;

/** Sends a byte now and then. Counts as present once connected, and connects again whenever the server ends it. */
function trickle(place: number): Promise<void> {
  return new Promise((resolve) => {
    const localAddress = `127.0.0.${2 + (place % addresses)}`;
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress }, () => {
      socket.write(`POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nX-Slow: `);
      sockets[place] = socket;
      resolve();
    });
    const more = setInterval(() => socket.write('a'), everyMs);
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(more);
      resolve();
      setTimeout(() => void trickle(place), everyMs * Math.random());
    });
  });
}

for (let joined = 0; joined < Number(count); joined += atOnce) {
  const these = Array.from({ length: Math.min(atOnce, Number(count) - joined) }, (_, at) => joined + at);
  await Promise.all(these.map(kind === 'trickle' ? trickle : join));
}
console.log(JSON.stringify({ there: sockets.length, refused }));
process.stdin.resume();
process.stdin.once('end', () => {
  const still = sockets.filter((socket) => !socket.destroyed).length;
  console.log(JSON.stringify({ still }));
  for (const socket of sockets) socket.destroy();
  process.exit(0);
});
