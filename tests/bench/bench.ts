// What a benchmark is: a letter, and figures as ratios to a baseline of the same run. A figure without a target is printed for comparison.
import { topSelfTimes, type Window } from './profile.ts';

export type Figure = {
  /** What was measured, with its numbers. */
  what: string;
  /** Undefined: there is no target. */
  met?: boolean;
  target?: string;
};

export type Run = {
  /** So small that it only shows that the benchmark works. */
  toy: boolean;
  /** Says what is going on. */
  say(text: string): void;
  /** Prints a figure. */
  figure(figure: Figure): void;
  /** Prints what bounds a missed figure: the functions with the largest self time while `work` runs. */
  explain(work: (window: Window) => Promise<unknown>): Promise<void>;
  /** Prints further lines below the figure. */
  note(lines: readonly string[]): void;
};

export type Bench = { letter: string; title: string; run(run: Run): Promise<void> };

/** A run that prints with `print` and shows progress with `say`. */
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
