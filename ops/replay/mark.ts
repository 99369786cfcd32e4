// The progress of an interrupted replay, as an append-only file: its id and the time shift, then the answer to each pushed line. A continued replay
// repeats the same times and keys, so that what it pushes again is a duplicate. A line torn by a kill counts as not pushed. One replay has the file at a
// time: with the answers of two in it, a continued one would leave out lines that neither has pushed.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Micros } from '../../core/units.ts';
import { writeAtomically } from '../service/write-atomically.ts';
import { lockFolder } from '../session/lock-folder.ts';
import type { PushedReceipt } from './gateway-client.ts';

type Mark = Disposable & {
  /** No other replay has it. */
  readonly id: string;
  /** By how much the times of the recording are shifted. */
  readonly shift: Micros;
  /** The answers to the lines pushed so far, in order. */
  readonly receipts: readonly PushedReceipt[];
  /** Appends the answer to the next line. */
  add(receipt: PushedReceipt): void;
  /** Call when the replay is complete: nothing is left to continue. */
  remove(): void;
};

/** An earlier build's mark has no id. */
type MarkHead = { shift: Micros; id?: string };

/**
 * The mark stored in `file`, otherwise a new one that shifts the times by `shift`. Dispose of it at the end.
 * @throws CommandFailure refused while another process has it
 */
export function openMark(file: string, shift: () => Micros): Mark {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // The folder stays: without it, two replays could lock two folders of its name.
  const lock = lockFolder(`${file}.lock`, 'another feed replay pushes these recordings there now; nothing was done');
  const [head, ...answers] = wholeLines(file);
  const named = { id: randomUUID() };
  const kept = head === undefined ? { ...named, shift: shift() } : { ...named, ...(JSON.parse(head) as MarkHead) };
  const receipts = answers.map((line) => JSON.parse(line) as PushedReceipt);
  writeAtomically(file, [kept, ...receipts].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return {
    id: kept.id,
    shift: kept.shift,
    receipts,
    add(receipt) {
      appendFileSync(file, `${JSON.stringify(receipt)}\n`);
      receipts.push(receipt);
    },
    remove: () => rmSync(file, { force: true }),
    [Symbol.dispose]: () => lock.release(),
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
