// Ends our services and removes their directories after this process has ended in any way: even a kill -9 of a test
// leaves nothing running. A shell reads from a pipe that we hold open; the pipe's end tells it that we have ended. A
// directory lists what it must then end, one file for each process or directory; a process that ends properly removes
// its file. Test files share a process, so a shell ends with its file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from '../vitest/after-file.ts';

const script = `
trap '' INT TERM HUP
cat > /dev/null
cd "$1" || exit
for file in pid.*; do [ -f "$file" ] && kill -"$(cat "$file")" "\${file#pid.}"; done 2> /dev/null
rounds=0
while [ $rounds -lt 100 ]; do
  alive=
  for file in pid.*; do [ -f "$file" ] && kill -0 "\${file#pid.}" && alive=yes; done 2> /dev/null
  [ -n "$alive" ] || break
  rounds=$((rounds + 1))
  sleep 0.1
done
for file in dir.*; do [ -f "$file" ] && rm -rf -- "$(cat "$file")"; done
rm -rf -- "$1"
`;

let leash: { directory: string; shell: ChildProcess } | undefined;
let directories = 0;

function leashDirectory(): string {
  if (leash === undefined) {
    const directory = mkdtempSync(join(tmpdir(), 'sds-leash-'));
    // In a session of its own: a signal to our process group must not end the leash.
    const shell = spawn('sh', ['-c', script, 'leash', directory], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    shell.unref();
    (shell.stdin as Socket | null)?.unref();
    leash = { directory, shell };
    afterFile(endLeash);
  }
  return leash.directory;
}

async function endLeash(): Promise<void> {
  const shell = leash?.shell;
  leash = undefined;
  if (shell === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
  shell.ref();
  const ended = once(shell, 'exit');
  shell.stdin?.end();
  await ended;
}

/**
 * After this process has ended, sends `signal` to the process, or for a negative pid to its group. The returned
 * function cancels that.
 */
export function leashProcess(pid: number, signal: 'KILL' | 'QUIT'): () => void {
  const file = join(leashDirectory(), `pid.${pid}`);
  writeFileSync(file, signal);
  return () => rmSync(file, { force: true });
}

/** A new directory that is deleted after this process has ended, or by the returned `remove`. */
export function leashedDirectory(name: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `sds-test-${name}-`));
  directories += 1;
  const file = join(leashDirectory(), `dir.${directories}`);
  writeFileSync(file, path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      rmSync(file, { force: true });
    },
  };
}
