// One program of the service as a child process, which a campaign kills, freezes and restarts like a supervisor.
// Signals go to its pid only. It records how each of its lives ended, and its log lines.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freezeTree, isStopped } from '../processes/process-tree.ts';
import { productFlags } from '../processes/product-flags.ts';
import { leashProcess } from '../services/leash.ts';
import { until } from '../services/until.ts';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const entryOf = (checkout = here) => join(checkout, 'ops/cli.ts');

export type LogLine = { msg: string; reason?: string; error?: string; partition?: number };

/** How a life ended. `by`: 'point' if an armed crash point killed it, 'us' if the campaign did, 'itself' otherwise. */
export type End = {
  by: 'point' | 'us' | 'itself';
  armed: string | null;
  code: number | null;
  signal: string | null;
  last: string;
};

export class Program {
  readonly name: string;
  readonly ends: End[] = [];
  /** Log lines of all lives. */
  readonly said: LogLine[] = [];
  readonly #command: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #ready = false;
  #armed: string | null = null;
  #killed = false;
  #retired = false;
  #ended: Promise<void> = Promise.resolve();
  #lastWords = '';

  /** `command`: a script, or `sds start` with these roles; of the checkout `of`, if one is given. */
  constructor(
    name: string,
    environment: Readonly<Record<string, string>>,
    command: { roles: string[]; of?: string } | { script: string },
  ) {
    this.name = name;
    this.#environment = environment;
    this.#command = 'roles' in command ? [entryOf(command.of), 'start', ...command.roles] : [command.script];
  }

  get ready(): boolean {
    return this.#ready && this.running;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, with a crash point armed or none. */
  start(armed: string | null = null): void {
    if (this.#child !== null) throw new Error(`${this.name} is running already`);
    if (this.#retired) throw new Error(`${this.name} is retired`);
    const child = spawn(process.execPath, [...productFlags, ...this.#command], {
      env: {
        ...process.env,
        LOG_LEVEL: 'info',
        ...this.#environment,
        ...(armed === null ? {} : { SDS_CRASH_AT: armed }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A session of its own: a process group without a shell gets SIGHUP when a member exits while another is stopped.
      detached: true,
    });
    const unleash = child.pid === undefined ? () => {} : leashProcess(child.pid, 'KILL');
    this.#child = child;
    this.#ready = false;
    this.#armed = armed;
    this.#killed = false;
    this.#lastWords = '';
    lines(child.stdout, (line) => {
      if (line === 'ready') this.#ready = true;
    });
    lines(child.stderr, (line) => this.#hear(line));
    this.#ended = once(child, 'close').then(([code, signal]: unknown[]) => {
      unleash();
      this.#child = null;
      this.#ready = false;
      this.ends.push({
        by: this.#killed ? 'us' : signal === 'SIGKILL' && armed !== null ? 'point' : 'itself',
        armed: this.#armed,
        code: code as number | null,
        signal: signal as string | null,
        last: this.#lastWords,
      });
    });
  }

  /**
   * Starts it, again and again until it serves: a projector ends while the broker's group still has its predecessor.
   * Rejects if it ends for another reason.
   */
  async startToServe(): Promise<void> {
    for (;;) {
      this.start();
      await this.untilReady();
      if (this.ready) return;
      const end = this.ends.at(-1);
      if (!/is over|another owner/.test(end?.last ?? '')) throw new Error(`${this.name} ended: ${JSON.stringify(end)}`);
    }
  }

  #hear(line: string): void {
    this.#lastWords = line.slice(0, 500);
    try {
      this.said.push(JSON.parse(line) as LogLine);
    } catch {
      this.said.push({ msg: line });
    }
  }

  /** SIGKILL, from outside. */
  async kill(): Promise<void> {
    if (this.#child === null) return;
    this.#killed = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Kills it, frozen or not; it cannot be started again. */
  async retire(): Promise<void> {
    this.#retired = true;
    await this.kill();
  }

  /** Sends SIGTERM, as a deploy does. An armed crash point may still kill it on its way out. */
  terminate(): void {
    this.#child?.kill('SIGTERM');
  }

  /** Resolves once no thread of it runs. */
  async freeze(): Promise<void> {
    if (this.#child?.pid !== undefined) await freezeTree(this.#child.pid);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Whether the process is stopped by a signal, its own or ours. */
  isFrozen(): boolean {
    return this.running && isStopped(this.pid);
  }

  /** Resolves when the life has ended. */
  async ended(): Promise<void> {
    await until(`${this.name} ends`, () => this.#child === null);
  }

  /**
   * Resolves when the program serves, has ended, or is stopped at an armed point, which it may reach during its start.
   */
  async untilReady(): Promise<void> {
    const hasArrived = (): boolean => this.#ready || !this.running || this.isFrozen();
    await until(`${this.name} is ready`, hasArrived);
  }
}

function lines(stream: NodeJS.ReadableStream | null, each: (line: string) => void): void {
  let rest = '';
  stream?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') each(part);
  });
}
