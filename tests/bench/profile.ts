// A profile by node's sampling profiler: self time by function. `(idle)` and `(garbage collector)` are included: they
// tell a run that waits from one that computes.
import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The name of the profiler's own work. */
const own = 'profiler';
const lines = 14;

/** `work` calls these around the part to profile; without them all of `work` is profiled. */
export type Window = { begin(): void; end(): void };

/**
 * Profiles `work`. Answers lines to print: the functions with the largest self time, and the parts of the code they
 * belong to.
 */
export async function topSelfTimes(work: (window: Window) => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  let profile: Profiler.Profile | undefined;
  const end = () => {
    if (profile === undefined) session.post('Profiler.stop', (_, stopped) => (profile = stopped?.profile));
  };
  try {
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 500 });
    await work({ begin: () => session.post('Profiler.start'), end });
    return profile === undefined ? [] : describe(profile);
  } finally {
    session.disconnect();
  }
}

/** A profile as lines: parts of the code by their share, then functions. */
export function describe(profile: Profiler.Profile): string[] {
  const functions = new Map<number, string>();
  const parts = new Map<number, string>();
  for (const { id, callFrame } of profile.nodes) {
    const { functionName, url, lineNumber } = callFrame;
    const file = fileOf(url);
    functions.set(id, `${functionName || '(anonymous)'}${file === '' ? '' : `  ${file}:${lineNumber + 1}`}`);
    parts.set(id, functionName === 'post' && file === 'node:inspector' ? own : partOf(functionName, file));
    if (parts.get(id) === own) functions.set(id, own);
  }
  const add = (names: Map<number, string>) => {
    const times = new Map<string, number>();
    profile.samples?.forEach((id, index) => {
      const name = names.get(id) ?? '';
      if (name !== own) times.set(name, (times.get(name) ?? 0) + Math.max(0, profile.timeDeltas?.[index] ?? 0));
    });
    const total = [...times.values()].reduce((sum, time) => sum + time, 0);
    const largest = [...times].sort((a, b) => b[1] - a[1]).filter(([, time]) => time >= total / 200);
    return largest.map(([name, time]) => [name, `${((100 * time) / total).toFixed(1)} %`] as const);
  };
  return [
    `by part: ${add(parts)
      .map(([name, share]) => `${name} ${share}`)
      .join(', ')}`,
    ...add(functions)
      .slice(0, lines)
      .map(([name, share]) => `${share.padStart(7)}  ${name}`),
  ];
}

function partOf(functionName: string, file: string): string {
  if (file === '') return functionName.startsWith('(') ? functionName : 'native';
  if (file.startsWith('node:')) return 'node';
  const folders = file.split('/').slice(0, -1);
  return folders[0] === 'core' || folders[0] === 'platform' ? folders.slice(0, 2).join('/') : (folders[0] ?? file);
}

function fileOf(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  return path.replace(root, '').replace(/^.*node_modules\//, '');
}
