// Releases of the service as further checkouts: an earlier one, from this clone's history, and a possible next one,
// this one with changes. They run on this checkout's packages.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const programs = ['api', 'core', 'http', 'ingest', 'ops', 'platform', 'projectors', 'schemas', 'package.json'];

/** Why this clone does not have the release; false if it has. */
export function releaseSkip(revision: string): string | false {
  const { status } = spawnSync('git', ['-C', here, 'cat-file', '-e', `${revision}^{commit}`]);
  return status === 0 ? false : `this clone does not hold the release ${revision}`;
}

/** Unpacks the release of a revision into `folder`. */
export function formerRelease(folder: string, revision: string): string {
  const checkout = newCheckout(folder, revision);
  // A folder that the release does not have yet is left out.
  const listed = spawnSync('git', ['-C', here, 'ls-tree', '--name-only', revision], { encoding: 'utf8' });
  const there = programs.filter((program) => listed.stdout.split('\n').includes(program));
  const archive = spawnSync('git', ['-C', here, 'archive', revision, ...there], { maxBuffer: 2 ** 28 });
  const unpacked = spawnSync('tar', ['-x', '-C', checkout], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) throw new Error(`${archive.stderr} ${unpacked.stderr}`);
  return checkout;
}

/** A text in a file, and what the next release has in its place. */
export type Patch = { file: string; from: string; to: string };

/** Copies this release with these changes into `folder`. */
export function nextRelease(folder: string, name: string, patches: readonly Patch[]): string {
  const checkout = newCheckout(folder, name);
  for (const each of programs) cpSync(join(here, each), join(checkout, each), { recursive: true });
  for (const { file, from, to } of patches) {
    const path = join(checkout, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} must contain this exactly once: ${from}`);
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
