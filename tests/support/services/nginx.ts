// nginx serving a directory as static files: the baseline of the API's benchmark. The machine's own, or the one of Debian's packages,
// unpacked below `.cache/` without touching the system.
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, installed, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort, isListening } from './ports.ts';
import { type Controls, startService } from './process.ts';

export type Nginx = {
  readonly program: string;
  /** Starts a server over the files of `root`, `workers` processes of it. */
  serve(root: string, workers?: number): Promise<{ readonly url: string } & Controls>;
};

export async function findNginx(): Promise<Nginx> {
  return openNginx(findProgram('nginx') ?? (await packagedProgram()));
}

export function openNginx(program: string): Nginx {
  return { program, serve: (root, workers = 1) => serve(program, root, workers) };
}

async function packagedProgram(): Promise<string> {
  const unpack = needProgram('dpkg-deb');
  const fetch = needProgram('apt-get');
  const home = await installed('nginx', 'debian', 'apt', async (directory) => {
    await run(fetch, ['download', 'nginx'], { cwd: directory }).catch(async () => {
      // Lists of packages older than the archive name a file that is gone; only root may renew them.
      await run(fetch, ['-qq', 'update']);
      await run(fetch, ['download', 'nginx'], { cwd: directory });
    });
    for (const file of globSync('*.deb', { cwd: directory })) await run(unpack, ['-x', file, '.'], { cwd: directory });
    await run(join(directory, 'usr', 'sbin', 'nginx'), ['-v']);
  });
  return join(home, 'usr', 'sbin', 'nginx');
}

async function serve(program: string, root: string, workers: number): Promise<{ readonly url: string } & Controls> {
  const directory = leashedDirectory('nginx');
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  mkdirSync(join(directory.path, 'tmp'));
  const file = join(directory.path, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes ${workers}; pid "${directory.path}/nginx.pid"; error_log stderr error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  default_type application/octet-stream;
${temporary.map((name) => `  ${name}_temp_path "${directory.path}/tmp/${name}";`).join('\n')}
  server { listen 127.0.0.1:${port}; root "${root}"; }
}
`,
  );
  const controls = await startService({
    name: 'nginx',
    program,
    args: ['-c', file, '-p', directory.path, '-e', 'stderr'],
    directory,
    stopSignal: 'SIGQUIT',
    endSignal: 'QUIT',
    ready: () => isListening(port),
  });
  return { url: `http://127.0.0.1:${port}`, ...controls };
}
