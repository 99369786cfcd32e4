// Claim: the service runs as its image runs it: from a tree that nothing can write to, as an unprivileged user, by the image's own words, with
// its data directory as the only place to write. A violation would need a write beside the program, in the home or in the temporary folder.
// The embedded edition stands in for the distributed one: it writes more.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, it } from 'vitest';
import { canReach, type ServerUser, serverUser } from '../../../platform/postgres/embedded-user.ts';
import { readDockerfile, wordsOf } from '../../support/book/dockerfile.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { event } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { signalTree } from '../../support/processes/process-tree.ts';
import { leashProcess } from '../../support/services/leash.ts';
import { until } from '../../support/services/until.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const folder = makeDataFolder('image');
const [tree, data, ready] = [join(folder, 'service'), join(folder, 'data'), join(folder, 'data', 'ready.json')];
const instructions = readDockerfile();
/** Root runs the service as this other user; any other user runs it as themselves. */
const user: ServerUser | null = serverUser();
const as = user === null ? {} : { uid: user.uid, gid: user.gid };
/** A folder in which the service may write nothing. */
const elsewhere = join(folder, 'elsewhere');
let node = process.execPath;

beforeAll(() => {
  copyProgram();
  if (user !== null && !canReach(user, node)) {
    node = join(folder, 'node');
    cpSync(process.execPath, node);
  }
  mkdirSync(data, { mode: 0o700 });
  mkdirSync(elsewhere);
  if (user !== null) chownSync(data, user.uid, user.gid);
  forEachIn(tree, (path) => chmodSync(path, lstatSync(path).mode & 0o555));
  chmodSync(elsewhere, 0o555);
});
afterAll(() => {
  for (const top of [tree, elsewhere])
    if (existsSync(top)) forEachIn(top, (path) => lstatSync(path).isDirectory() && chmodSync(path, 0o755));
  rmSync(folder, { recursive: true, force: true });
});

/** Copies what the image contains, and the programs of the embedded database. */
function copyProgram(): void {
  const names = instructions
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const needed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && !path.includes('/node-linux-'))
    .map(([path]) => path);
  for (const path of [...names, ...needed]) {
    if (!existsSync(join(checkout, path)) || existsSync(join(tree, path))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(join(checkout, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  }
}

/** Visits each file and folder below, then the folder itself, without following links. */
function forEachIn(path: string, visit: (path: string) => unknown): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) forEachIn(join(path, name), visit);
  visit(path);
}

/** Everything in the tree with its modification time. */
function contents(): string[] {
  const found: string[] = [];
  forEachIn(tree, (path) => {
    const { size, mtimeMs, mode } = lstatSync(path);
    found.push(`${path} ${size} ${mtimeMs} ${mode}`);
  });
  return found;
}

/** Runs a command of the Dockerfile on this machine. */
function run(words: readonly string[]): ChildProcess {
  const [, ...args] = words.map((word) => word.replace(/^\/service\//, `${tree}/`));
  return spawn(node, args, {
    ...as,
    cwd: tree,
    env: {
      ...environmentOfImage(),
      SDS_EDITION: 'embedded',
      SDS_DATA_DIR: data,
      SDS_READY_FILE: ready,
      SDS_HOST: '127.0.0.1',
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      HOME: elsewhere,
      TMPDIR: elsewhere,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function environmentOfImage(): Record<string, string> {
  const { text } = instructions.find(({ name }) => name === 'ENV') as { text: string };
  const pairs = text.split(' ').map((pair) => pair.split('=') as [string, string]);
  return { ...Object.fromEntries(pairs), NODE_COMPILE_CACHE: join(elsewhere, 'compile') };
}

async function health(): Promise<number | null> {
  const child = run(wordsOf(instructions, 'HEALTHCHECK'));
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

it('serves and takes pushes, is healthy while it does, and writes to its data directory alone', async () => {
  const before = contents();
  assert.equal(await health(), 1, 'nothing runs yet');
  const service = run([...wordsOf(instructions, 'ENTRYPOINT'), ...wordsOf(instructions, 'CMD')]);
  const unleash = leashProcess(service.pid ?? 0, 'KILL');
  const closed = once(service, 'close') as Promise<[number | null]>;
  let said = '';
  const hear = (text: Buffer): void => {
    said += text.toString();
  };
  service.stdout?.on('data', hear);
  service.stderr?.on('data', hear);
  try {
    const serves = () => existsSync(ready) || service.exitCode !== null;
    await until('it serves', serves);
    assert.equal(service.exitCode, null, said);
    const found = JSON.parse(readFileSync(ready, 'utf8')) as Record<
      'api_url' | 'ingest_url' | 'api_key' | 'feed_key',
      string
    >;
    assert.equal(await health(), 0);

    const pushed = await fetch(`${found.ingest_url}/v1/sources/mybook/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${found.feed_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [event()] }),
    });
    assert.equal(pushed.status, 202);
    const games = (await getJson({ apiUrl: found.api_url, apiKey: found.api_key }, '/v1/games?league=NFL')) as {
      data: { id: string }[];
    };
    const board = `${found.api_url}/v1/games/${games.data[0]?.id}/sportsbook-lines/board`;
    await until('the quote is on the board', async () => {
      const response = await fetch(board, { headers: { authorization: `Bearer ${found.api_key}` } });
      return response.ok && ((await response.json()) as { board: { rows: number } }).board.rows === 1;
    });
    assert.equal(statSync(ready).uid, user?.uid ?? process.getuid?.());

    service.kill('SIGTERM');
    const [code] = await closed;
    assert.equal(code, 0, said);
    assert.equal(await health(), 1);
    assert.deepEqual(contents(), before);
    assert.deepEqual(readdirSync(elsewhere), []);
  } finally {
    if (service.exitCode === null && service.signalCode === null) signalTree(service.pid ?? 0, 'SIGKILL');
    await closed;
    unleash();
  }
});
