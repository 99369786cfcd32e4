// The parts of a benchmark: a letter, a title and figures. A figure is a ratio to a baseline of the same run.
import { topSelfTimes, type Window } from './profile.ts';

export type Figure = {
  /** What was measured, with its numbers. */
  what: string;
  /** Undefined: the figure has no target and is printed for comparison. */
  met?: boolean;
  target?: string;
};

export type Run = {
  /** Runs at a size that only shows that the benchmark works. */
  toy: boolean;
  /** Shows progress. */
  say(text: string): void;
  figure(figure: Figure): void;
  /**
   * Profiles `work` and prints the functions with the largest self time: what bounds a figure that missed its target.
   */
  explain(work: (window: Window) => Promise<unknown>): Promise<void>;
  /** Prints lines of detail below the figure. */
  note(lines: readonly string[]): void;
};

export type Bench = { letter: string; title: string; run(run: Run): Promise<void> };

/** A run that prints its figures with `print` and its progress with `say`. */
export function openRun(toy: boolean, print: (line: string) => void, say: (text: string) => void): Run {
  return {
    toy,
    say,
    figure({ what, met, target }) {
      const verdict = met === undefined ? '' : met ? '  met' : '  MISSED';
      print(`  ${what}${target === undefined ? '' : `  (target ${target})`}${verdict}`);
    },
    async explain(work) {
      for (const line of await topSelfTimes(work)) print(`      ${line}`);
    },
    note(lines) {
      for (const line of lines) print(`    ${line}`);
    },
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

/** 12345 as `12.3k`. */
export function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)}M`;
  return value >= 1000 ? `${(value / 1000).toFixed(value >= 1e5 ? 0 : 1)}k` : value.toFixed(value < 10 ? 2 : 0);
}
