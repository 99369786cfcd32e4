// How far an interrupted replay came, as a file that only grows: by how much its times are moved, then the answer to each line that was
// pushed. A replay that goes on tells the same times as before, so that what it pushes again is a duplicate. A line that was torn when
// the process was killed counts as not pushed.
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Micros } from '../../core/units.ts';
import { writeAtomically } from '../service/write-atomically.ts';
import type { PushedReceipt } from './gateway-client.ts';

export type Mark = {
  /** By how much the times of the recording are moved. */
  readonly shift: Micros;
  /** The answers to the lines pushed so far, in order. */
  readonly receipts: readonly PushedReceipt[];
  /** Notes the answer to the next line. */
  add(receipt: PushedReceipt): void;
  /** The replay has come to its end: nothing is left to go on with. */
  remove(): void;
};

/** The mark kept in `file`, else a new one that moves the times by `shift`. */
export function openMark(file: string, shift: () => Micros): Mark {
  const [head, ...answers] = wholeLines(file);
  const kept = head === undefined ? { shift: shift() } : (JSON.parse(head) as { shift: Micros });
  const receipts = answers.map((line) => JSON.parse(line) as PushedReceipt);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, [kept, ...receipts].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return {
    shift: kept.shift,
    receipts,
    add(receipt) {
      appendFileSync(file, `${JSON.stringify(receipt)}\n`);
      receipts.push(receipt);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function wholeLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
