// Chooses the folders of the embedded server's cluster, socket and programs: below the data directory and in the npm package, unless the
// server's user has no access there (root's clone in root's home) or the path is too long for a socket.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import { newSecret } from '../process/ids.ts';
import { checkOwnFolder } from '../process/own-folder.ts';
import { type Binaries, installedPackage, prepareInPlace, stageBinaries } from './embedded-binaries.ts';
import { canReach, type ServerUser, serverUser } from './embedded-user.ts';
import { endPostmaster, readPidFile, servesCluster } from './postmaster.ts';

/** A socket's path may have 107 bytes; its own name takes 20. */
const maxSocketDir = 80;

type ServerFolders = { dir: string; socketDir: string; user: ServerUser | null; binaries: Binaries };

/** The folders of the cluster, its socket and its programs; the server's user can reach all three. */
export async function chooseFolders(home: string, log: Log): Promise<ServerFolders> {
  const packageDir = installedPackage();
  const runAs = serverUser();
  let base = home;
  if (runAs !== null) letPass(home, runAs);
  if (runAs !== null && !canReach(runAs, home)) {
    base = await stagedBase(home, runAs, log);
    log.info('the database is kept outside the data directory, which its user cannot reach', {
      directory: base,
      user: runAs.name,
    });
  }
  const staged = runAs !== null && !canReach(runAs, join(packageDir, 'native', 'bin'));
  const binaries = staged ? stageBinaries(packageDir, stagingRoot()) : prepareInPlace(packageDir);
  return { dir: join(base, 'postgresql'), socketDir: socketDirIn(base, home, runAs), user: runAs, binaries };
}

/** Its group may pass through the folder to its own files, but not list or read the rest. */
function letPass(folder: string, { gid }: ServerUser): void {
  chownSync(folder, 0, gid);
  chmodSync(folder, 0o710);
}

function stagingRoot(): string {
  const root = existsSync('/var/lib') ? '/var/lib/sports-data-service' : join(tmpdir(), 'sports-data-service');
  mkdirSync(root, { recursive: true });
  checkOwnFolder(dirname(root));
  checkOwnFolder(root);
  chmodSync(root, 0o755);
  return root;
}

/**
 * A folder that replaces a data directory which the server cannot reach. A name kept inside the data directory links the two, so that a
 * data directory that is deleted and recreated starts empty. Removes the folder of a predecessor.
 */
async function stagedBase(home: string, runAs: ServerUser, log: Log): Promise<string> {
  const root = stagingRoot();
  const nameFile = join(home, 'database-name');
  if (!existsSync(nameFile))
    writeFileSync(nameFile, `database-${Buffer.from(newSecret(8)).toString('hex')}`, { mode: 0o600 });
  const name = readFileSync(nameFile, 'utf8').trim();
  const base = join(root, name);
  mkdirSync(base, { recursive: true });
  letPass(base, runAs);
  writeFileSync(join(base, 'origin'), home, { mode: 0o600 });
  for (const other of readdirSync(root)) {
    const abandoned = join(root, other);
    if (other === name || originOf(abandoned) !== home) continue;
    log.info('removing the database of a data directory that was deleted', { directory: abandoned });
    const file = readPidFile(join(abandoned, 'postgresql'));
    if (file !== null && servesCluster(file.pid, join(abandoned, 'postgresql'))) await endPostmaster({ pid: file.pid });
    rmSync(abandoned, { recursive: true, force: true });
  }
  return base;
}

function originOf(base: string): string | null {
  const file = join(base, 'origin');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** The socket's folder: next to the cluster, or a short one if that path is too long for a socket. */
function socketDirIn(base: string, home: string, runAs: ServerUser | null): string {
  let dir = join(base, 'socket');
  if (Buffer.byteLength(dir) > maxSocketDir) {
    const nameFile = join(home, 'socket-directory');
    if (!existsSync(nameFile)) writeFileSync(nameFile, mkdtempSync(join(tmpdir(), 'sds-')), { mode: 0o600 });
    dir = readFileSync(nameFile, 'utf8').trim();
  }
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  if (runAs !== null) chownSync(dir, runAs.uid, runAs.gid);
  return dir;
}

/** Removes the short socket folder of a server that has ended. */
export function forgetShortSocketDir(home: string, socketDir: string): void {
  const nameFile = join(home, 'socket-directory');
  if (!existsSync(nameFile)) return;
  rmSync(nameFile);
  rmSync(socketDir, { recursive: true, force: true });
}
