// A process and all that it started, found in /proc: a server that forks is frozen only when all of it is.
import { readFileSync } from 'node:fs';

/** `pid` and its descendants, ancestors first. */
export function processTree(pid: number): number[] {
  let children: string;
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return [];
  }
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

/** Sends `signal` to all of them; those that have ended meanwhile need none. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const each of processTree(pid)) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended.
    }
  }
}
