// A process and all processes that it started, found in /proc or, without it, by ps: a server that forks is frozen only
// when all of them are.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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
