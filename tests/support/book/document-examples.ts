// Runs the programs of the reference page as a reader would: taken from the page's text, each in a folder of its own,
// with API, KEY and GAME in the environment. `duckdb` is a stand-in for the program of that name, over the same engine: for Node, or for
// Python, where it can read over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs of a page that have this attribute, by its value. */
export function examplesOf(page: string, attribute = 'data-example'): ReadonlyMap<string, string> {
  const found = [...page.matchAll(new RegExp(`<code ${attribute}="([^"]+)">(.*?)</code>`, 'gs'))];
  return new Map(found.map(([, name, markup]) => [name as string, textOf(markup as string)]));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => entities[name] as string);
}

export type Ran = { code: number | null; out: string; err: string };

/** Waits for `event`; rejects if the program ends before. */
export async function whileRunning(program: { ended: Promise<Ran> }, event: Promise<void>): Promise<void> {
  const early = program.ended.then(({ code, out, err }) => {
    throw new Error(`the program ended with ${code}: ${out}\n${err}`);
  });
  await Promise.race([event, early]);
}

export class ExampleFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'examples-'));
  readonly #environment: Record<string, string>;
  readonly #running = new Set<ChildProcess>();

  /** `httpfs`: the Python with which `duckdb` reads over HTTP. */
  constructor(environment: Readonly<Record<string, string>>, { httpfs }: { httpfs?: string } = {}) {
    symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(this.path, 'node_modules'));
    const programs = join(this.path, 'bin');
    mkdirSync(programs);
    writeFileSync(join(this.path, 'duckdb.mjs'), standIn);
    const duckdb = httpfs === undefined ? [process.execPath, join(this.path, 'duckdb.mjs')] : [httpfs, duckdbInPython];
    writeFileSync(join(programs, 'duckdb'), `#!/bin/sh\nexec ${duckdb.map((word) => `"${word}"`).join(' ')} "$@"\n`);
    chmodSync(join(programs, 'duckdb'), 0o755);
    this.#environment = { ...environment, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`, HOME: this.path };
  }

  /** Starts a program from its text. `out` grows while the program runs. */
  start(program: string, name: string, text: string): { ran: Ran; ended: Promise<Ran> } {
    writeFileSync(join(this.path, name), text);
    const child = spawn(program, [name], { cwd: this.path, env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.add(child);
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      ran.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      ran.err += chunk.toString();
    });
    const ended = new Promise<Ran>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.#running.delete(child);
        ran.code = code;
        resolve(ran);
      });
    });
    return { ran, ended };
  }

  [Symbol.dispose](): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}

const duckdbInPython = fileURLToPath(new URL('../parquet/duckdb_cli.py', import.meta.url));

const standIn = `import { DuckDBInstance } from '@duckdb/node-api';
const [, , option, sql] = process.argv;
if (option !== '-c') throw new Error('the stand-in for duckdb understands only -c');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const found = await connection.runAndReadAll(sql);
for (const row of found.getRowObjects()) console.log(Object.values(row).map(String).join('|'));
`;
