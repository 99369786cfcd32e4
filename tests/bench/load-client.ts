// A load generator: connections that stay open and request the same URL as soon as the answer has come, for some
// seconds. Speaks just enough HTTP to be faster than the servers it measures. Prints one line of JSON.
//   node load-client.ts URL AUTHORIZATION CONNECTIONS SECONDS
import { connect } from 'node:net';

const [address = '', authorization = '', connections = '8', seconds = '3'] = process.argv.slice(2);
const url = new URL(address);
const request = Buffer.from(
  `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${authorization}\r\n\r\n`,
);
const endOfHead = Buffer.from('\r\n\r\n');
let answers = 0;
let bytes = 0;
let wrong = '';

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(request));
    let head: Buffer = Buffer.alloc(0);
    let left = -1;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      let body = chunk.length;
      if (left < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(endOfHead);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        if (!text.startsWith('HTTP/1.1 200')) wrong = text.slice(0, 200);
        left = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
        body = head.length - end - endOfHead.length;
        head = Buffer.alloc(0);
      }
      left -= body;
      if (left > 0) return;
      left = -1;
      answers += 1;
      if (performance.now() < endsAt && wrong === '') socket.write(request);
      else socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

const cpu = process.cpuUsage();
const startedAt = performance.now();
const endsAt = startedAt + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, open));
const took = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
if (wrong !== '') throw new Error(`not 200: ${wrong}`);
console.log(JSON.stringify({ perSecond: answers / took, bytes: bytes / answers, cores: (user + system) / 1e6 / took }));
