// What a test file leaves behind in the process that it shares with the next files, where it would run beside them.
import { until } from '../services/until.ts';

/** What no file may leave, by Node's names for what keeps a process alive. */
const kinds = { ProcessWrap: 'a program that it started', TCPServerWrap: 'a port that it listens on' };

export type OpenThings = Readonly<Record<keyof typeof kinds, number>>;

/** How many of each kind this process has now. */
export function openThings(): OpenThings {
  const active = process.getActiveResourcesInfo();
  const count = (kind: string) => active.filter((each) => each === kind).length;
  return { ProcessWrap: count('ProcessWrap'), TCPServerWrap: count('TCPServerWrap') };
}

/**
 * Resolves once no more is open than `before`: what a file ends without waiting takes a moment.
 * @throws Error with what stays open
 */
export async function nothingLeftSince(before: OpenThings, withinMs = 10_000): Promise<void> {
  const left = () => {
    const now = openThings();
    return (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => now[kind] > before[kind]);
  };
  try {
    await until('nothing of the file is open', () => left().length === 0, { withinMs, everyMs: 10 });
  } catch (error) {
    const names = left().map((kind) => kinds[kind]);
    throw new Error(`the file leaves behind ${names.join(' and ')}`, { cause: error });
  }
}
