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
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '../../core/ports/telemetry.ts';
import { newSecret } from '../process/ids.ts';
import { checkOwnFolder, isSameFolder } from '../process/own-folder.ts';
import { type Binaries, installedPackage, prepareInPlace, stageBinaries } from './embedded-binaries.ts';
import { canReach, type ServerUser, serverUser } from './embedded-user.ts';
import { endPostmaster, readPidFile, servesCluster } from './postmaster.ts';

/** The data directory is a copy that cannot be used as it is. The message fits one line. */
export class DataDirCopied extends Error {
  override readonly name = 'DataDirCopied';
}

/** A socket's path may have 107 bytes; its own name takes 20. */
const maxSocketDir = 80;
const [nameFile, socketFile, clusterName] = ['database-name', 'socket-directory', 'postgresql'] as const;

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
  const binaries = staged ? stageBinaries(packageDir, openStagingRoot()) : prepareInPlace(packageDir);
  return { dir: join(base, clusterName), socketDir: socketDirIn(base, home, runAs), user: runAs, binaries };
}

/** The clusters of a data directory, in it and in the folder that replaces it. Creates nothing. */
export function clustersOf(home: string): string[] {
  const name = stagedName(home);
  const staged = name === null ? null : join(stagingRoot(), name);
  const isOurs = staged !== null && isSameFolder(originOf(staged) ?? '', home);
  const bases = isOurs ? [home, staged] : [home];
  return bases.map((base) => join(base, clusterName)).filter((dir) => existsSync(join(dir, 'PG_VERSION')));
}

/**
 * Refuses a cluster that was copied while its server ran, because its files are of different moments, or copied without its owner. Any
 * other copy is as good as the original.
 * @throws DataDirCopied
 */
export function refuseBadCopy(home: string, dir: string, runAs: ServerUser | null): void {
  const uid = statSync(dir, { throwIfNoEntry: false })?.uid;
  if (runAs !== null && uid !== undefined && uid !== runAs.uid)
    throw new DataDirCopied(
      `the database of data directory ${home} does not belong to ${runAs.name}, who runs it: copy the directory with its owners (cp -a)`,
    );
  const original = readPidFile(dir)?.dir ?? dir;
  if (isSameFolder(original, dir) || !existsSync(join(original, 'PG_VERSION'))) return;
  throw new DataDirCopied(
    `data directory ${home} was copied while the database in ${original} ran, and such a copy may be torn: stop the service there, and copy the directory again`,
  );
}

/** Its group may pass through the folder to its own files, but not list or read the rest. */
function letPass(folder: string, { gid }: ServerUser): void {
  chownSync(folder, 0, gid);
  chmodSync(folder, 0o710);
}

const stagingRoot = (): string =>
  existsSync('/var/lib') ? '/var/lib/sports-data-service' : join(tmpdir(), 'sports-data-service');

function openStagingRoot(): string {
  const root = stagingRoot();
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
  const root = openStagingRoot();
  if (stagedName(home) === null)
    writeFileSync(join(home, nameFile), `database-${Buffer.from(newSecret(8)).toString('hex')}`, { mode: 0o600 });
  const name = stagedName(home) ?? '';
  const base = join(root, name);
  const origin = originOf(base);
  // A directory that was moved takes its database along; a copy has none.
  if (origin !== null && !isSameFolder(origin, home) && stagedName(origin) === name)
    throw new DataDirCopied(
      `data directory ${home} is a copy of ${origin}, and does not hold its database, which is in ${base}: set SDS_DATA_DIR to the original, or to a new directory`,
    );
  mkdirSync(base, { recursive: true });
  letPass(base, runAs);
  writeFileSync(join(base, 'origin'), home, { mode: 0o600 });
  for (const other of readdirSync(root)) {
    const abandoned = join(root, other);
    if (other === name || originOf(abandoned) !== home) continue;
    log.info('removing the database of a data directory that was deleted', { directory: abandoned });
    const cluster = join(abandoned, clusterName);
    const file = readPidFile(cluster);
    if (file !== null && servesCluster(file.pid, cluster)) await endPostmaster({ pid: file.pid });
    rmSync(abandoned, { recursive: true, force: true });
  }
  return base;
}

/** The name of the folder that replaces the data directory; null if it has none. */
function stagedName(home: string): string | null {
  return textOf(join(home, nameFile))?.trim() ?? null;
}

/** The data directory that the folder replaces. */
function originOf(base: string): string | null {
  return textOf(join(base, 'origin'));
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** The socket's folder: next to the cluster, or a short one if that path is too long for a socket. */
function socketDirIn(base: string, home: string, runAs: ServerUser | null): string {
  let dir = join(base, 'socket');
  if (Buffer.byteLength(dir) > maxSocketDir) {
    const file = join(home, socketFile);
    // In a copy the file names the folder of the original.
    if (textOf(file)?.split('\n')[1] !== home)
      writeFileSync(file, `${mkdtempSync(join(tmpdir(), 'sds-'))}\n${home}`, { mode: 0o600 });
    dir = readFileSync(file, 'utf8').split('\n')[0] ?? '';
  }
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  if (runAs !== null) chownSync(dir, runAs.uid, runAs.gid);
  return dir;
}

/** Removes the short socket folder of a server that has ended. */
export function forgetShortSocketDir(home: string, socketDir: string): void {
  const file = join(home, socketFile);
  if (!existsSync(file)) return;
  rmSync(file);
  rmSync(socketDir, { recursive: true, force: true });
}
