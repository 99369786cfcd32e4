// A child process that follows every game of a service with one of the clients, or with curl. It gets only the address of the service and a
// key; its output is kept.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../services/installed.ts';
import { leashProcess } from '../services/leash.ts';
import { services } from '../services/services.ts';

export type FollowingKind = { name: string; file: string; command: readonly string[] };

const fileOf = (name: string) => fileURLToPath(new URL(`../clients/programs/${name}`, import.meta.url));
const pythonClient = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/** The programs that this machine can run, and for each other one the reason why it cannot. */
export async function followingKinds(): Promise<{ kinds: FollowingKind[]; missing: string[] }> {
  const typescript = fileOf('follow-every-game.ts');
  const kinds: FollowingKind[] = [
    { name: 'TypeScript', file: typescript, command: [process.execPath, '--disable-warning=ExperimentalWarning'] },
  ];
  const missing: string[] = [];
  const python = await services.python();
  if (python.skip === false) {
    const command = [python.path];
    kinds.push({ name: 'Python', file: fileOf('follow-every-game.py'), command });
    kinds.push({ name: 'Python, async', file: fileOf('follow-every-game-async.py'), command });
  } else missing.push(`Python: ${python.skip}`);
  const lacking = ['bash', 'curl', 'jq'].filter((name) => findProgram(name) === undefined);
  if (lacking.length === 0) kinds.push({ name: 'curl', file: fileOf('follow-every-game.sh'), command: ['bash'] });
  else missing.push(`curl: there is no ${lacking.join(' and no ')} on this machine`);
  return { kinds, missing };
}

/** How many lines of a program the interpreter executes. */
export function linesOfProgram({ file }: FollowingKind): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:#|\/\/|$)/.test(line)).length;
}

export class FollowingProgram {
  readonly name: string;
  /** The rows of each game in the order in which the program printed them. */
  readonly rows = new Map<string, Record<string, unknown>[]>();
  /** Output lines that are not rows, and the standard error. */
  readonly said: string[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor({ name, file, command: [program = '', ...flags] }: FollowingKind, url: string, key: string) {
    this.name = name;
    this.#child = spawn(program, [...flags, file, url, key], {
      env: { ...process.env, PYTHONPATH: pythonClient, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, because the children of a shell outlive it.
      detached: true,
    });
    const { pid, stdout, stderr } = this.#child;
    const unleash = pid === undefined ? () => {} : leashProcess(-pid, 'KILL');
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#hear(line));
    if (stderr !== null) createInterface({ input: stderr }).on('line', (line) => this.said.push(line));
    this.ended = once(this.#child, 'close').then(([code]: unknown[]) => {
      unleash();
      return code as number | null;
    });
  }

  get count(): number {
    return [...this.rows.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.running) return;
    process.kill(-pid, 'SIGKILL');
  }

  #hear(line: string): void {
    try {
      const { game, row } = JSON.parse(line) as { game: string; row: Record<string, unknown> };
      const rows = this.rows.get(game) ?? [];
      rows.push(row);
      this.rows.set(game, rows);
    } catch {
      this.said.push(line);
    }
  }
}
