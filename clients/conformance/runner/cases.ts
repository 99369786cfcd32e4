// The cases: files of YAML below cases/, each a list of cases, each a list of steps. README.md says what each step does.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Fault, Route } from '../world/faults.ts';

export type Expected = {
  /** The `row_number` of each row, in order; -1 stands for a reset. */
  rows?: number[];
  /** Which of the game's logs the rows are of, from 1; by default the one that is served. */
  log?: number;
  ended?: boolean;
  error?: string;
  /** Revisions in order, each with its number of rows; -1 stands for a reset. */
  revisions?: [revision: number, rows: number][];
  games?: string[];
  missing?: string[];
  cursor?: string;
  /** How many rows a table has. */
  count?: number;
  /** The least seconds that the call takes. */
  lasts?: number;
};

export type Step = {
  /** The game that the step is about; by default the suite's. */
  game?: string;
  append?: number;
  cut?: true;
  rebuild?: number;
  restore?: number;
  lose?: number;
  repeat?: number;
  settle?: boolean;
  /** What the game's record says while its stored status is this one. */
  status?: string;
  revise?: Record<string, number | null>;
  lie?: Record<string, number | null>;
  epoch?: true;
  expire?: number;
  revert?: number;
  fault?: Omit<Fault, 'times'> & { times?: number };
  stop?: true;
  start?: true;
  /** Seconds in which nothing is done. */
  pause?: number;
  /** Waits until the route was asked so often since the last `after`, or since the call began. */
  after?: Partial<Record<Route, number>>;
  follow?: { since?: string; game?: string };
  take?: number;
  cursor?: string;
  close?: true;
  uncache?: true;
  spoil?: 'text' | 'bytes';
  board?: { operators?: string[] };
  odds?: { market?: string; period?: string; operators?: string[]; format?: string; best?: boolean; at?: string };
  final?: { version?: number };
  history?: { league: string; from: string; to: string };
  revisions?: { at?: number; until?: number };
  open?: Record<string, unknown>;
  expect?: Expected;
  /** Steps that run while the call waits. */
  while?: Step[];
  charged?: number;
  /** Where a client that pays less is better. */
  charged_at_most?: number;
  asked?: Partial<Record<Route, number>>;
  asked_at_most?: Partial<Record<Route, number>>;
};

export type ConformanceCase = { name: string; steps: Step[] };

export function conformanceCases(): { file: string; cases: ConformanceCase[] }[] {
  const folder = new URL('../cases/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => ({
      file: name,
      cases: parse(readFileSync(new URL(name, folder), 'utf8')) as ConformanceCase[],
    }));
}
