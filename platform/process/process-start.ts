// Whether a process is still the one that recorded its pid: pids are reused, in a container after every restart.
import { readFileSync } from 'node:fs';

/** When the process started, in system ticks; '' if the system does not report it. Null: no process with this pid is alive. */
export function startOfProcess(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return null;
  }
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in parentheses, may contain anything; the start is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    return null;
  }
}
