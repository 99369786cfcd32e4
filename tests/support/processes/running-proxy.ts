// `sds proxy` as a process: its address and its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../../ops/cli.ts', import.meta.url));

export type RunningProxy = {
  url: string;
  /** The folder in which it keeps the API's files. */
  folder: string;
  kill(): Promise<void>;
  /** Stops it as a person would; answers the counts it prints. */
  stop(): Promise<Record<string, number>>;
};

export async function startProxy(args: {
  url: string;
  keyFile: string;
  cache: string;
  megabytes?: number;
}): Promise<RunningProxy> {
  const options = ['--url', args.url, '--key-file', args.keyFile, '--cache', args.cache, '--port', '0', '--json'];
  if (args.megabytes !== undefined) options.push('--cache-mb', String(args.megabytes));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', entry, 'proxy', ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  const next = async <T>(): Promise<T> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`sds proxy ended with ${child.exitCode}`);
    return JSON.parse(value) as T;
  };
  const { url, cache } = await next<{ url: string; cache: string }>();
  return {
    url,
    folder: cache,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const counts = await next<Record<string, number>>();
      await exited;
      return counts;
    },
  };
}
