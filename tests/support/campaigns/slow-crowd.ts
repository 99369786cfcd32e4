// Readers that read no byte of their answers: half opened a stream of events, half requested the longest page of rows
// many times. Measures how much more memory they cost the serving process than readers who ask the same and read it.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type SlowCrowd = { url: string; key: string; game: string; readers: number; forMs: number };

/** More pages than the buffers of a socket hold. */
const pages = 40;
const lookMs = 200;
/** A process whose memory rises by less than this while its readers read has filled its caches. */
const filledMb = 4;
const mostRounds = 12;

/** How much memory the process used at most beyond its use with as many readers who read, in MB. */
export async function memoryOfSlowCrowd(pid: number, crowd: SlowCrowd): Promise<number> {
  let before = privateMb(pid);
  for (let round = 0; round < mostRounds; round += 1) {
    const most = await mostBeside(pid, crowd, (socket) => socket.resume());
    const rose = most - before;
    before = Math.max(before, most);
    if (rose < filledMb) break;
  }
  return Math.max(0, (await mostBeside(pid, crowd, (socket) => socket.pause())) - before);
}

/** The most private memory of the process, in MB, while the crowd is connected. */
async function mostBeside(pid: number, crowd: SlowCrowd, use: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  let most = 0;
  try {
    for (let reader = 0; reader < crowd.readers; reader += 1) {
      const socket = join(crowd, reader % 2 === 0);
      use(socket);
      sockets.push(socket);
    }
    for (const endsAt = performance.now() + crowd.forMs; performance.now() < endsAt; ) {
      await delay(lookMs);
      most = Math.max(most, privateMb(pid));
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return most;
}

function join({ url, key, game }: SlowCrowd, isStream: boolean): Socket {
  const { hostname, port, host } = new URL(url);
  const asked = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
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
