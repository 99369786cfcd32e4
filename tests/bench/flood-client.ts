// A feed key that floods, as a program: so many connections that stay open, each sending the next body as soon as it has an answer, whatever
// that is; 0 stands for none. Bodies are made beforehand, so that it costs little beside what it measures. Prints one line of JSON when its input ends.
//   node flood-client.ts URL KEY KIND CONNECTIONS
import { gzipSync } from 'node:zlib';
import { bodiesOf, type FloodKind } from './flood-bodies.ts';
import { closeConnections, request } from './http.ts';

const [address = '', key = '', kind = '', connections = '8'] = process.argv.slice(2);
const bodies = bodiesOf(kind as FloodKind).map((body) => gzipSync(body));
const statuses: Record<number, number> = {};
let stopped = false;
let nth = 0;

async function flood(): Promise<void> {
  while (!stopped) {
    nth += 1;
    const body = bodies[nth % bodies.length];
    const status = await request(address, key, { method: 'POST', body, encoding: 'gzip' }).then(
      (answer) => answer.status,
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

console.log('ready');
const flooding = Promise.all(Array.from({ length: Number(connections) }, flood));
process.stdin.resume().once('end', () => {
  stopped = true;
});
await flooding;
closeConnections();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ statuses, cpuSeconds: (user + system) / 1e6 }));
