// Builds the image and runs it with the machine's own buildah and runc, as root and without a daemon. Every container
// gets what the Dockerfile's first lines require: the image's file system read-only, no capabilities and no way to more
// rights, a temporary folder in memory, and its volume.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageBases, imageBases } from './image-bases.ts';
import { needProgram, run } from './installed.ts';
import { leashedDirectory, leashProcess } from './leash.ts';
import { ServiceMissing } from './missing.ts';
import { unique } from './unique.ts';

export type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

export type Container = {
  /** Runs a command in it as its user. */
  exec(words: readonly string[]): Promise<{ code: number | null; said: string }>;
  /** What it printed. */
  said(): string;
  ended(): boolean;
  /** Sends SIGTERM and waits; answers the exit code. */
  stop(): Promise<number | null>;
};

export type BuiltImage = AsyncDisposable & {
  readonly config: ImageConfig;
  /** The root folder of the image's file system. */
  readonly root: string;
  /** The folder of the volume on the host. */
  readonly data: string;
  /** Starts the image with these arguments after its entry point. */
  start(words: readonly string[], environment: Readonly<Record<string, string>>): Container;
};

export type ImageEngine = {
  /** Builds the image of the folder's Dockerfile. */
  build(folder: string): Promise<BuiltImage>;
};

/** @throws ServiceMissing if no image can be built or run */
export async function findImageEngine(): Promise<ImageEngine> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new ServiceMissing('images need root on Linux');
  const programs = { buildah: needProgram('buildah'), runc: needProgram('runc') };
  const bases = await imageBases();
  return { build: (folder) => buildImage(folder, bases, programs) };
}

async function buildImage(
  folder: string,
  bases: ImageBases,
  { buildah, runc }: { buildah: string; runc: string },
): Promise<BuiltImage> {
  const directory = leashedDirectory('image');
  const at = (name: string) => join(directory.path, name);
  const store = ['--root', at('store'), '--runroot', at('run'), '--storage-driver', 'vfs'];
  const ask = async (...args: string[]) => (await run(buildah, [...store, ...args])).trim();

  const [build, runtime] = [...readFileSync(join(folder, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)];
  const trust = bases.hasCertificates ? ['--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'] : [];
  for (const [base, name, options] of [
    [bases.build, `docker.io/library/${build?.[1]}`, trust],
    [bases.runtime, `${runtime?.[1]}`, ['--user', '65532']],
  ] as const) {
    const container = await ask('from', 'scratch');
    await ask('add', '--quiet', container, base, '/');
    await ask('config', ...options, container);
    await ask('commit', '--quiet', '--rm', container, name);
  }
  const offline = ['--isolation', 'chroot', '--pull-never', '--format', 'docker'];
  await ask('build', '--quiet', ...offline, '--tag', 'localhost/sds', folder);
  const inspected = JSON.parse(await ask('inspect', '--type', 'image', 'localhost/sds')) as {
    Docker: { config: ImageConfig };
  };
  const { config } = inspected.Docker;
  const root = await ask('mount', await ask('from', '--pull-never', 'localhost/sds'));

  // A new volume starts with the image's content at that path.
  const [volume = ''] = Object.keys(config.Volumes);
  const data = at('data');
  const { uid, gid, mode } = statSync(join(root, volume));
  mkdirSync(data);
  chownSync(data, uid, gid);
  chmodSync(data, mode & 0o777);

  const running = new Set<Container>();
  return {
    config,
    root,
    data,
    start(words, environment) {
      const name = unique('sds');
      const bundle = at(name);
      mkdirSync(bundle);
      writeFileSync(
        join(bundle, 'config.json'),
        JSON.stringify(specification({ root, config, words, environment, mounts: { [volume]: data } })),
      );
      const container = startContainer(runc, ['--root', at('containers')], name, bundle);
      running.add(container);
      return container;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((container) => container.stop()));
      await ask('umount', '--all');
      directory.remove();
    },
  };
}

type Asked = {
  root: string;
  config: ImageConfig;
  words: readonly string[];
  environment: Readonly<Record<string, string>>;
  mounts: Readonly<Record<string, string>>;
};

/**
 * The runtime's configuration, by the specification of the Open Container Initiative. It uses the machine's network.
 */
function specification({ root, config, words, environment, mounts }: Asked): object {
  const [uid, gid] = config.User.split(':').map(Number);
  const inMemory = (destination: string, type: string, ...options: string[]) => ({
    ...{ destination, type, source: type },
    options: ['nosuid', ...options],
  });
  return {
    ociVersion: '1.0.2',
    root: { path: root, readonly: true },
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...words],
      env: [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      inMemory('/dev', 'tmpfs', 'mode=755'),
      inMemory('/tmp', 'tmpfs', 'nodev', 'mode=1777'),
      ...Object.entries(mounts).map(([destination, source]) => ({
        ...{ destination, source, type: 'bind' },
        options: ['rbind', 'rw'],
      })),
    ],
    linux: {
      // Only the devices that every process has, such as /dev/null.
      resources: { devices: [{ allow: false, access: 'rwm' }] },
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
    },
  };
}

function startContainer(runc: string, options: readonly string[], name: string, bundle: string): Container {
  const child = begin(runc, [...options, 'run', '--bundle', bundle, name]);
  const unleash = leashProcess(child.process.pid ?? 0, 'KILL');
  return {
    async exec(words) {
      const { process: asked, said, closed } = begin(runc, [...options, 'exec', name, ...words]);
      await closed;
      return { code: asked.exitCode, said: said() };
    },
    said: child.said,
    ended: () => child.process.exitCode !== null || child.process.signalCode !== null,
    async stop() {
      child.process.kill('SIGTERM');
      const late = setTimeout(() => void begin(runc, [...options, 'kill', name, 'KILL']), 20_000);
      await child.closed;
      clearTimeout(late);
      unleash();
      return child.process.exitCode;
    },
  };
}

/** A process and its output. */
function begin(program: string, args: readonly string[]) {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return { process: child, said: () => text, closed: once(child, 'close') };
}
