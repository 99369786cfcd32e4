// A process and all processes that it started, found in /proc or, without it, by ps: a server that forks is frozen only
// when all of them are.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { until } from '../services/until.ts';

const hasProc = existsSync('/proc/self/task');

/** `pid` and its descendants, ancestors first. */
export function processTree(pid: number): number[] {
  if (!hasProc) return treeAmong(allProcesses(), pid);
  let children: string;
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return [];
  }
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

function allProcesses(): [pid: number, parent: number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
}

function treeAmong(processes: readonly (readonly [number, number])[], root: number): number[] {
  const children = processes.filter(([, parent]) => parent === root);
  return [root, ...children.flatMap(([child]) => treeAmong(processes, child))];
}

/** Sends `signal` to all of them; a process may have ended meanwhile. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const each of processTree(pid)) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended.
    }
  }
}

/**
 * Stops all of them with SIGSTOP; resolves once none of their threads runs. The kernel stops the threads one by one, which takes
 * a server of many threads 20 ms on a busy machine: until then it may answer.
 */
export async function freezeTree(pid: number): Promise<void> {
  const isDone = (): boolean => {
    // Again each time: a process that was not stopped yet may have started another.
    signalTree(pid, 'SIGSTOP');
    return processTree(pid).every((each) => runningStates(each).every(isStop));
  };
  await until(`${pid} stands still`, isDone, { everyMs: 1 });
}

/** Whether SIGSTOP has stopped every thread of the process. */
export function isStopped(pid: number): boolean {
  const states = runningStates(pid);
  return states.length > 0 && states.every(isStop);
}

const isStop = (state: string): boolean => state === 'T';

/** The state of each thread that has not ended; without /proc, of the process. */
function runningStates(pid: number): string[] {
  const states = hasProc ? threadsOf(pid).map((thread) => stateOf(pid, thread)) : [stateByPs(pid)];
  return states.filter((state) => !'ZX'.includes(state));
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function stateOf(pid: number, thread: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // After the name in parentheses, which may contain anything.
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch {
    return 'X';
  }
}

function stateByPs(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .charAt(0);
  } catch {
    return 'X';
  }
}
