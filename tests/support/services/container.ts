// One service in a container: started through the Docker engine until it is ready, stopped, killed and frozen, at the
// same address and with the same data throughout. The counterpart of process.ts, and like it independent of the
// service. Testcontainers removes its containers when the last process of a test run has ended in any way.
import type { WaitStrategy } from 'testcontainers';
import { images } from './images.ts';
import type { Controls } from './process.ts';
import { until } from './until.ts';
import { chosenWay } from './way.ts';

type Docker = Parameters<WaitStrategy['waitUntilReady']>[0];

export type ContainerService = {
  name: string;
  image: string;
  entrypoint?: readonly string[];
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** Ports of the container, each on a free port of the host that it keeps over restarts. */
  ports: readonly { container: number; host: number }[];
  /** Files put into the container before it starts, readable by all its users. */
  files?: readonly { path: string; content: string | Buffer }[];
  ready(): Promise<boolean>;
  readyWithinMs?: number;
};

export type ContainerControls = Controls & {
  /** Runs a command in it to its end. @throws Error with the command's output if it fails */
  exec(words: readonly string[]): Promise<void>;
};

/** The library, told which engine to use. Loaded only by processes that start a container. */
async function testcontainers(): Promise<typeof import('testcontainers')> {
  const way = await chosenWay();
  if (way.kind === 'docker') process.env.DOCKER_HOST = way.engine;
  process.env.RYUK_CONTAINER_IMAGE ??= images.reaper;
  return await import('testcontainers');
}

/** The host at which ports of containers are reached. */
export async function containerHost(): Promise<string> {
  const { getContainerRuntimeClient } = await testcontainers();
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  return host === 'localhost' ? '127.0.0.1' : host;
}

/** Starts the service and waits until it is ready. */
export async function startContainer(service: ContainerService): Promise<ContainerControls> {
  const { GenericContainer, getContainerRuntimeClient } = await testcontainers();
  const wanted = new GenericContainer(service.image)
    .withEnvironment({ ...service.environment })
    .withExposedPorts(...service.ports)
    .withCopyContentToContainer(
      (service.files ?? []).map(({ path, content }) => ({ target: path, content, mode: 0o644 })),
    )
    .withWaitStrategy(readinessOf(service));
  if (service.entrypoint !== undefined) wanted.withEntrypoint([...service.entrypoint]);
  if (service.command !== undefined) wanted.withCommand([...service.command]);
  const started = await wanted.start().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason} (SDS_TEST_SERVICES=native starts it without Docker)`, { cause: error });
  });
  const container = (await getContainerRuntimeClient()).container.getById(started.getId());

  const isRunning = async () => (await container.inspect()).State.Running;
  const controls: ContainerControls = {
    async stop() {
      if (await isRunning()) await container.stop({ t: 20 });
    },
    async kill() {
      if (!(await isRunning())) return;
      await container.kill({ signal: 'SIGKILL' });
      await container.wait();
    },
    async freeze() {
      await container.pause();
    },
    async resume() {
      await container.unpause();
    },
    async restart() {
      await controls.stop();
      await container.start();
      await untilReady(service, container);
    },
    directory: null,
    log: () => logOf(container),
    async exec(words) {
      const { exitCode, output } = await started.exec([...words]);
      if (exitCode !== 0) throw new Error(`${words[0]} ended with ${exitCode} in ${service.name}: ${output.trim()}`);
    },
    async [Symbol.asyncDispose]() {
      await container.remove({ force: true, v: true });
    },
  };
  return controls;
}

const readyWithinMs = 60_000;

/** How the library finds that the service is ready: as a client sees it, the same way as for a program. */
function readinessOf(service: ContainerService): WaitStrategy {
  const readiness: WaitStrategy = {
    waitUntilReady: (container) => untilReady(service, container),
    withStartupTimeout: () => readiness,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => service.readyWithinMs ?? readyWithinMs,
  };
  return readiness;
}

async function untilReady(service: ContainerService, container: Docker): Promise<void> {
  const hasEnded = async () => !(await container.inspect()).State.Running;
  let ended = false;
  const answers = async () => {
    ended = await hasEnded();
    return ended || (await service.ready());
  };
  let cause: unknown;
  try {
    await until(`${service.name} is ready`, answers, { withinMs: service.readyWithinMs ?? readyWithinMs });
    if (!ended) return;
  } catch (error) {
    cause = error;
  }
  const said = (await logOf(container)).trim().split('\n').slice(-8).join(' | ') || 'it says nothing';
  throw new Error(`${service.name} does not start in ${service.image}: ${said}`, { cause });
}

/** The container's output. The engine frames each piece: four bytes, four more with its length, then the piece. */
async function logOf(container: Docker): Promise<string> {
  const framed = await container.logs({ follow: false, stdout: true, stderr: true });
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= framed.length; ) {
    const end = at + 8 + framed.readUInt32BE(at + 4);
    pieces.push(framed.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(pieces).toString('utf8');
}
