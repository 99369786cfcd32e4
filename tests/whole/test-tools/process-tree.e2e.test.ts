// A process that a test has frozen does nothing any more once the freeze has resolved: a server that still answers would fail tests of
// outages now and then.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { freezeTree, isStopped, processTree, signalTree } from '../../support/processes/process-tree.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** Keeps 32 threads at work in short turns until its input ends, and has a child that does the same. */
const busy = `
  process.stdin.on('end', () => process.exit()).resume();
  const { pbkdf2 } = require('node:crypto');
  const work = () => pbkdf2('a', 'b', 2_000, 64, 'sha512', () => setTimeout(work, 1));
  for (let thread = 0; thread < 64; thread += 1) work();
  if (process.argv[1] === 'parent') {
    const child = require('node:child_process').spawn(process.execPath, ['-e', process.env.BUSY, 'child'], { stdio: 'inherit' });
    child.on('spawn', () => console.log('busy'));
  }`;

async function startBusy(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', busy, 'parent'], {
    env: { ...process.env, BUSY: busy, UV_THREADPOOL_SIZE: '32' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

/** Nanoseconds that the threads of these processes have run, by the kernel's scheduler. */
function runtimeOf(pids: readonly number[]): bigint {
  const times = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')),
  );
  return times.reduce((sum, text) => sum + BigInt(text.split(' ')[0] ?? 0), 0n);
}

const toldBySystem = existsSync('/proc/self/schedstat');

describe('a process that is frozen', skipFor(!toldBySystem && 'only Linux tells how long a thread has run'), () => {
  it('does nothing any more, and neither does its child', async () => {
    const child = await startBusy();
    const pid = child.pid as number;
    try {
      for (let turn = 0; turn < 10; turn += 1) {
        await freezeTree(pid);
        const pids = processTree(pid);
        const before = runtimeOf(pids);
        await delay(20);
        assert.deepEqual([pids.length, runtimeOf(pids) - before], [2, 0n]);
        assert.ok(isStopped(pid));
        signalTree(pid, 'SIGCONT');
        await delay(5);
      }
    } finally {
      const gone = once(child, 'exit');
      signalTree(pid, 'SIGKILL');
      await gone;
    }
    assert.equal(isStopped(pid), false);
    await freezeTree(pid);
  });
});
