// How far a command is, on standard error, with its rate and how long the rest will take: a bar that redraws itself on a terminal, a line every
// two seconds elsewhere. A command that ends sooner prints none.
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import { systemClock } from '../../platform/process/clock.ts';

export type CommandProgress = Disposable & {
  /** So many of all are done. */
  at(done: number): void;
  /** So many more are. */
  add(more: number): void;
};

type Screen = { isTTY?: boolean; write(text: string): unknown };

/** `from`: how many an earlier run has done, which say nothing of this one's rate. `all`: more may come. */
type Way = { unit: string; all: number; from?: number };

/** Opens the progress of one long part of a command. */
export type OpenProgress = (way: Way) => CommandProgress;

const lineEvery: Micros = 2 * microsPerSecond;
const redrawEvery: Micros = microsPerSecond / 10;
const barWidth = 30;

/** Dispose of it at the end, also of an interrupted command: the last bar is then drawn and its line ended. */
export function openProgress(
  { unit, all, from = 0 }: Way,
  screen: Screen = process.stderr,
  clock: Pick<Clock, 'now'> = systemClock,
): CommandProgress {
  const isTerminal = screen.isTTY === true;
  const began = clock.now();
  let shownAt = began;
  let last = from;
  let isDrawn = false;

  function show(done: number): void {
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const pace = paceText(unit, done - from, all - done, clock.now() - began);
    const text = `${done} of ${all} ${unit}, ${pace}`;
    const filled = Math.round(share * barWidth);
    if (isTerminal) screen.write(`\r[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text}\u001b[K`);
    else screen.write(`${text}\n`);
  }

  function at(done: number): void {
    last = done;
    const now = clock.now();
    if (now - shownAt < (isTerminal ? redrawEvery : lineEvery)) return;
    shownAt = now;
    isDrawn = true;
    show(done);
  }

  return {
    at,
    add: (more) => at(last + more),
    [Symbol.dispose]() {
      if (!isTerminal || !isDrawn) return;
      show(last);
      screen.write('\n');
    },
  };
}

/** Prints a line after each step of a command, which says what it did, how many there are, and at which rate the `sizes` of them are done. */
export function openSteps(
  { steps, unit, sizes }: { steps: string; unit: string; sizes: readonly number[] },
  screen: Pick<Screen, 'write'> = process.stderr,
  clock: Pick<Clock, 'now'> = systemClock,
): (did: string) => void {
  const began = clock.now();
  let [count, done, left] = [0, 0, sizes.reduce((sum, size) => sum + size, 0)];
  return (did) => {
    const size = sizes[count] ?? 0;
    [count, done, left] = [count + 1, done + size, left - size];
    screen.write(`${count} of ${sizes.length} ${steps}, ${paceText(unit, done, left, clock.now() - began)}: ${did}\n`);
  };
}

/** The items, each of which is done when the next is asked for. */
export async function* counted<Item>(
  progress: Pick<CommandProgress, 'add'>,
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    progress.add(1);
  }
}

/** The rate at which `done` were done in `took`, and how long the `left` ones will take at that rate; nothing of them while none is done. */
export function paceText(unit: string, done: number, left: number, took: Micros): string {
  const rate = (done * microsPerSecond) / Math.max(1_000, took);
  const shown = rate > 0 && rate < 10 ? rate.toFixed(1) : String(Math.round(rate));
  const rest = left > 0 && rate === 0 ? '' : `, ${left > 0 ? Math.ceil(left / rate) : 0} s left`;
  return `${shown} ${unit}/s${rest}`;
}
