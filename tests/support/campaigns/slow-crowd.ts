// Readers that read no byte of their answers: half opened a stream of events, half requested the longest page of rows
// many times. Measures how much memory they cost the serving process.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type SlowCrowd = { url: string; key: string; game: string; readers: number; forMs: number };

/** More pages than the buffers of a socket hold. */
const pages = 40;
const lookMs = 200;

/** How much memory the process used at most beyond its use before, in MB. */
export async function memoryOfSlowCrowd(pid: number, crowd: SlowCrowd): Promise<number> {
  const before = privateMb(pid);
  let most = before;
  const sockets: Socket[] = [];
  try {
    for (let reader = 0; reader < crowd.readers; reader += 1) sockets.push(join(crowd, reader % 2 === 0));
    for (const endsAt = performance.now() + crowd.forMs; performance.now() < endsAt; ) {
      await delay(lookMs);
      most = Math.max(most, privateMb(pid));
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return most - before;
}

function join({ url, key, game }: SlowCrowd, isStream: boolean): Socket {
  const { hostname, port, host } = new URL(url);
  const asked = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).pause();
  socket.write(
    isStream
      ? asked('/v1/events?league=MLB')
      : asked(`/v1/games/${game}/sportsbook-lines/rows?limit=5000`).repeat(pages),
  );
  return socket;
}

/** The private memory of the process. */
function privateMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
