// What the demo stores in the data directory between starts: since when it reports games, and the progress of its short game. A start
// continues an interrupted short game; after a complete one it begins a new one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../service/write-atomically.ts';
import { recordedTimes, shortGame } from './short-game.ts';

/** Times are seconds since the epoch. `start`: when the demo began the recording; `told`: how many of its times have been pushed. */
export type Remembered = { seed: number; since: number; recording: { start: number; told: number } };

type DemoMemory = {
  /** The state for a start at `now`. */
  recall(now: number): Remembered;
  /** Stores how much of the recording has been pushed. */
  keep(told: number): void;
};

export function openMemory(dataDir: string, seed: number): DemoMemory {
  const file = join(dataDir, 'demo.json');
  const write = (remembered: Remembered): void => writeAtomically(file, `${JSON.stringify(remembered)}\n`);
  let known: Remembered | null = null;
  return {
    recall(now) {
      const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Remembered) : null;
      const same = before?.seed === seed ? before : { seed, since: now, recording: { start: now, told: 0 } };
      const { start, told } = same.recording;
      const over = told >= recordedTimes(shortGame(seed, start)).length;
      known = over ? { ...same, recording: { start: now, told: 0 } } : same;
      write(known);
      return known;
    },
    keep(told) {
      if (known === null) return;
      known = { ...known, recording: { ...known.recording, told } };
      write(known);
    },
  };
}
