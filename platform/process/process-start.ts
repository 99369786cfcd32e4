// Whether a process is still the one that wrote its pid down: a pid is used again, in a container always.
import { readFileSync } from 'node:fs';

/** When the process started, in ticks of the system; '' where the system does not say so. Null: no such process is alive. */
export function startOfProcess(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return null;
  }
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain anything; the start is the 20th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    return null;
  }
}
