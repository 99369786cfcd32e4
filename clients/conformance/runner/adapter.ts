// A client under test: a program that reads one command a line from standard input and answers each by one line on standard output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';

export type Taken = { row: Record<string, unknown> } | { reset: true } | { revision: Record<string, unknown> };

/** What an adapter may answer; README.md says which command answers what. */
export type AdapterAnswer = {
  ok?: boolean;
  /** A problem type, or `unreachable`, `not-as-published`, `foreign-cursor`, `unusable-setting`. */
  error?: string;
  items?: Taken[];
  ended?: boolean;
  cursor?: string;
  rows?: Record<string, unknown>[];
  odds?: Record<string, unknown>;
  games?: string[];
  missing?: string[];
};

/** No case has a call that takes so long. */
const longestCallMs = 30_000;

export class Adapter {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  readonly #answerMs: number;
  #fault: Error | null = null;

  constructor([program = '', ...args]: readonly string[], answerMs = longestCallMs) {
    this.#answerMs = answerMs;
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A program that is not there: its output ends at once, and the next call says why.
    this.#child.on('error', (error) => {
      this.#fault = error;
    });
    this.#child.stdin?.on('error', () => {});
    if (this.#child.stdout === null) throw new Error('the adapter has no output');
    this.#reader = createInterface(this.#child.stdout);
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async call(command: object): Promise<AdapterAnswer> {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    const late = setTimeout(() => this.#child.kill('SIGKILL'), this.#answerMs);
    const { value, done } = await this.#lines.next();
    clearTimeout(late);
    if (done === true) {
      const what = this.#fault?.message ?? 'the adapter ended, or was silent for too long';
      throw new Error(`${what}, at ${JSON.stringify(command)}`);
    }
    return JSON.parse(value) as AdapterAnswer;
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#fault === null && this.#child.exitCode === null && this.#child.signalCode === null) {
      const forced = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
      await once(this.#child, 'exit');
      clearTimeout(forced);
    }
    this.#reader.close();
  }
}
