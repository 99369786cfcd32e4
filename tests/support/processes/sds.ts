// Runs the administrator's tool as a process: its output and its exit code.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../..', import.meta.url));

export type Ran = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string };

/**
 * Runs `sds` with these arguments, of this checkout or of `of`. `begun` is called with the process, for tests that
 * interrupt it. It has no terminal.
 */
export function runSds(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { begun = () => {}, of = here }: { begun?: (child: ChildProcess) => void; of?: string } = {},
): Promise<Ran> {
  const entry = join(of, 'ops/cli.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => {
    said.out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    said.err += text.toString();
  });
  begun(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, ...said }));
  });
}
