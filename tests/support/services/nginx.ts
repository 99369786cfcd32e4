// nginx serving a directory as static files, the baseline of the API's benchmark: the machine's own, or the one from
// Debian's packages, unpacked below `.cache/` without changing the system.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianPackage } from './debian.ts';
import { findProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort, isListening } from './ports.ts';
import { type Controls, startService } from './process.ts';

export type Nginx = {
  readonly program: string;
  /** Starts a server with `workers` processes over the files of `root`. */
  serve(root: string, workers?: number): Promise<{ readonly url: string } & Controls>;
};

export async function findNginx(): Promise<Nginx> {
  return openNginx(findProgram('nginx') ?? (await packagedProgram()));
}

export function openNginx(program: string): Nginx {
  return { program, serve: (root, workers = 1) => serve(program, root, workers) };
}

async function packagedProgram(): Promise<string> {
  const program = join('usr', 'sbin', 'nginx');
  const home = await debianPackage('nginx', (directory) => run(join(directory, program), ['-v']));
  return join(home, program);
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
