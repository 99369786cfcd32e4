// A Docker engine on a socket, as far as testcontainers needs one: it records requests, and "runs" a container by
// relaying its ports to a server of the test. It starts no program, so it does not show that the images work.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The settings of a container, from the body that created it. */
export type AskedContainer = {
  Image: string;
  Env?: string[];
  Cmd?: string[];
  Entrypoint?: string[];
  ExposedPorts?: Record<string, object>;
  Labels?: Record<string, string>;
  HostConfig: { PortBindings?: Record<string, { HostPort: string }[]>; Binds?: string[]; AutoRemove?: boolean };
};

export type FakeContainer = {
  id: string;
  asked: AskedContainer;
  /** Archives that were copied into it. */
  archives: Buffer[];
  /** Requests about it since its creation, such as `POST start`. */
  deeds: string[];
  /** Commands that were run in it. */
  ran: string[][];
};

type Target = { host: string; port: number };

export type FakeDockerEngine = AsyncDisposable & {
  /** Images that were pulled. */
  pulled: string[];
  containers: FakeContainer[];
};

type Behaviour = {
  /** Where connections to a port of a container of this image go; null: the container ends as soon as it is started. */
  targetOf(image: string, port: string): Target | null;
  /** The output of a container of this image. */
  says?(image: string): string;
};

type Running = FakeContainer & { relays: Map<string, Relay>; running: boolean; paused: boolean };

export async function startFakeDockerEngine(socketPath: string, behaviour: Behaviour): Promise<FakeDockerEngine> {
  const containers: Running[] = [];
  const pulled: string[] = [];
  const words = new Map<string, string[]>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://engine');
    const path = url.pathname.replace(/^\/v[\d.]+(?=\/)/, '');
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const of = (pattern: RegExp) =>
      pattern
        .exec(path)
        ?.slice(1)
        .map((part) => part && decodeURIComponent(part));

    if (path === '/_ping') return void response.end('OK');
    if (path === '/info') return json(200, { ServerVersion: '28.0.0', OperatingSystem: 'Linux', OSType: 'linux' });
    // A client that runs in a container itself asks this to find the host.
    if (path.startsWith('/networks/')) return json(200, { IPAM: { Config: [{ Gateway: '127.0.0.1' }] } });
    if (path === '/images/create') {
      pulled.push(`${url.searchParams.get('fromImage')}:${url.searchParams.get('tag')}`);
      return json(200, { status: 'Pull complete' });
    }
    const [image] = of(/^\/images\/(.+)\/json$/) ?? [];
    if (image !== undefined) return pulled.includes(image) ? json(200, {}) : json(404, { message: 'No such image' });
    if (path === '/containers/json') return json(200, []);
    if (path === '/containers/create') {
      const asked = JSON.parse((await bodyOf(request)).toString('utf8')) as AskedContainer;
      const id = `c${containers.length}`.padEnd(64, '0');
      containers.push({
        ...{ id, asked, archives: [], deeds: [], ran: [], running: false, paused: false },
        relays: new Map(),
      });
      return json(201, { Id: id, Warnings: [] });
    }
    const [execution, step] = of(/^\/exec\/([^/]+)\/(start|json)$/) ?? [];
    if (execution !== undefined) {
      const failed = words.get(execution)?.includes('fails') === true;
      if (step === 'json') return json(200, { ExitCode: failed ? 3 : 0, Running: false });
      return void response.end(frame(failed ? 'it fails\n' : 'it is done\n'));
    }
    const [id, deed = ''] = of(/^\/containers\/([^/]+)(?:\/([a-z]+))?$/) ?? [];
    const container = containers.find((each) => each.id === id);
    if (container === undefined) return json(404, { message: `no such container for ${request.method} ${path}` });
    if (deed === 'json') return json(200, inspected(container));
    if (deed === 'logs') {
      const reaper = container.asked.Image.includes('ryuk');
      response.write(frame(reaper ? 'Started\n' : `${behaviour.says?.(container.asked.Image) ?? 'it starts'}\n`));
      return void response.end();
    }
    if (deed === 'archive') {
      container.archives.push(await bodyOf(request));
      return void response.end();
    }
    if (deed === 'exec') {
      const { Cmd } = JSON.parse((await bodyOf(request)).toString('utf8')) as { Cmd: string[] };
      container.ran.push(Cmd);
      words.set(`e${words.size}`, Cmd);
      return json(201, { Id: `e${words.size - 1}` });
    }
    container.deeds.push([request.method, deed, url.search.slice(1)].filter((word) => word !== '').join(' '));
    if (request.method === 'DELETE' || deed === 'stop' || deed === 'kill') await end(container);
    if (deed === 'start') await start(container, behaviour);
    if (deed === 'pause' || deed === 'unpause') {
      container.paused = deed === 'pause';
      for (const relay of container.relays.values()) relay.pause(container.paused);
    }
    if (deed === 'wait') return json(200, { StatusCode: 137 });
    response.writeHead(204).end();
  }

  const server = createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ message: String(error) }));
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    pulled,
    containers,
    async [Symbol.asyncDispose]() {
      for (const container of containers) await end(container);
      server.close();
      server.closeAllConnections();
    },
  };
}

async function start(container: Running, behaviour: Behaviour): Promise<void> {
  for (const [port, [binding]] of Object.entries(container.asked.HostConfig.PortBindings ?? {})) {
    const target = behaviour.targetOf(container.asked.Image, port);
    if (target === null) return;
    container.relays.set(port, await startRelay(Number(binding?.HostPort ?? 0), target));
  }
  container.running = true;
}

async function end(container: Running): Promise<void> {
  container.running = false;
  container.paused = false;
  for (const relay of container.relays.values()) await relay.close();
  container.relays.clear();
}

function inspected({ id, asked, running, paused, relays }: Running): object {
  const ports = Object.keys(asked.HostConfig.PortBindings ?? {});
  const hostPortOf = (port: string) => `${relays.get(port)?.port ?? 1}`;
  return {
    ...{ Id: id, Name: `/${id}` },
    State: {
      ...{ Running: running, Paused: paused, Status: running ? 'running' : 'exited' },
      ...{ StartedAt: '2026-01-01T00:00:00Z', FinishedAt: '0001-01-01T00:00:00Z' },
    },
    Config: { Hostname: id.slice(0, 12), Labels: asked.Labels ?? {} },
    HostConfig: asked.HostConfig,
    NetworkSettings: {
      Ports: Object.fromEntries(ports.map((port) => [port, [{ HostIp: '0.0.0.0', HostPort: hostPortOf(port) }]])),
      Networks: {},
    },
  };
}

type Relay = { port: number; pause(on: boolean): void; close(): Promise<void> };

/** Passes on the connections to a port of the host. */
async function startRelay(port: number, target: Target): Promise<Relay> {
  const sockets = new Set<Socket>();
  let paused = false;
  const server: Server = createServer((near) => {
    const far = connect(target.port, target.host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('data', (bytes) => other.write(bytes));
      if (paused) one.pause();
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    pause(on) {
      paused = on;
      for (const socket of sockets) {
        if (on) socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A piece of standard output in the engine's framing. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = 1;
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}
