// The public API and the push gateway over fakes in a separate process, which reports its CPU time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Millis } from '../../../core/units.ts';
import { routeExamples, startFullApi } from '../http/every-route.ts';
import { startGateway } from '../http/gateway-http.ts';

/** A request that takes longer than this is given up. */
const patienceMs: Millis = 240_000;
const thisFile = fileURLToPath(import.meta.url);

export type Asked = {
  to: 'api' | 'gateway';
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

export type MeasuredServers = {
  /**
   * Like `ask`, but a request that costs more than `ms` is repeated up to twice: a garbage collection is not its cost.
   */
  askAgainBeyond(ms: Millis, asked: Asked): Promise<{ status: number; cpuMs: Millis }>;
  /**
   * Sends one request, with the key unless it brings another. Answers the status (0 if the connection ended first) and
   * the CPU used between request and answer.
   */
  ask(asked: Asked): Promise<{ status: number; cpuMs: Millis }>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Place = { url: string; key: string };

export async function startMeasuredServers(): Promise<MeasuredServers> {
  const child = fork(thisFile, { execArgv: [] });
  const [places] = (await once(child, 'message')) as [Record<Asked['to'], Place>];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cpu = async (): Promise<Millis> => {
    child.send('cpu');
    const [micros] = (await once(child, 'message')) as [number];
    return micros / 1_000;
  };
  async function ask(asked: Asked): Promise<{ status: number; cpuMs: Millis }> {
    const before = await cpu();
    const status = await statusOf(agent, places[asked.to], asked);
    return { status, cpuMs: (await cpu()) - before };
  }
  // A route's first request also pays for what the route sets up once.
  for (const { path } of routeExamples) await ask({ to: 'api', method: 'GET', path, headers: {}, body: null });
  return {
    ask,
    async askAgainBeyond(ms, asked) {
      let least = await ask(asked);
      for (let again = 0; again < 2 && least.cpuMs > ms; again += 1) {
        const { status, cpuMs } = await ask(asked);
        least = { status, cpuMs: Math.min(cpuMs, least.cpuMs) };
      }
      return least;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const gone = once(child, 'exit');
      // It may be busy in a regular expression and unable to receive a message.
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function statusOf(agent: Agent, { url, key }: Place, { method, path, headers, body }: Asked): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path, headers: { authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    const what = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 400)} ${body?.slice(0, 400) ?? ''}`;
    sent.setTimeout(patienceMs, () => sent.destroy(new Error(`not answered within ${patienceMs} ms: ${what}`)));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The connection may end before the sender has read the answer if the server did not read the body.
      if (method === 'POST' && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) resolve(0);
      else reject(error);
    });
    sent.end(body ?? undefined);
  });
}

if (process.argv[1] === thisFile) {
  const [api, gateway] = [await startFullApi(), await startGateway()];
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.({ api: { url: api.url, key: api.key }, gateway: { url: gateway.url, key: gateway.key } });
}
