// Releases of the service as checkouts beside this one: one that was, from the history of this clone, and one that may come, this one with
// changes. They run on the packages of this one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const programs = ['api', 'core', 'http', 'ingest', 'ops', 'platform', 'projectors', 'schemas', 'package.json'];

/** Why this clone does not have the release; false where it has. */
export function releaseSkip(revision: string): string | false {
  const { status } = spawnSync('git', ['-C', here, 'cat-file', '-e', `${revision}^{commit}`]);
  return status === 0 ? false : `this clone does not hold the release ${revision}`;
}

/** The release of a revision, in `folder`. */
export function formerRelease(folder: string, revision: string): string {
  const checkout = newCheckout(folder, revision);
  // A release from before a folder was there does without it.
  const listed = spawnSync('git', ['-C', here, 'ls-tree', '--name-only', revision], { encoding: 'utf8' });
  const there = programs.filter((program) => listed.stdout.split('\n').includes(program));
  const archive = spawnSync('git', ['-C', here, 'archive', revision, ...there], { maxBuffer: 2 ** 28 });
  const unpacked = spawnSync('tar', ['-x', '-C', checkout], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) throw new Error(`${archive.stderr} ${unpacked.stderr}`);
  return checkout;
}

/** In a file, what is there and what the release has in its place. */
export type Patch = { file: string; from: string; to: string };

/** This release with these changes, in `folder`. */
export function nextRelease(folder: string, name: string, patches: readonly Patch[]): string {
  const checkout = newCheckout(folder, name);
  for (const each of programs) cpSync(join(here, each), join(checkout, each), { recursive: true });
  for (const { file, from, to } of patches) {
    const path = join(checkout, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
    writeFileSync(path, text.replace(from, to));
  }
  return checkout;
}

function newCheckout(folder: string, name: string): string {
  const checkout = join(folder, name);
  mkdirSync(checkout, { recursive: true });
  symlinkSync(join(dirname(join(here, 'package.json')), 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
}
