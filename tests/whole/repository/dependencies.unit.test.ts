// The licence of every package that is installed to run the service, developers' tools apart, is one that we have looked at (SECURITY.md,
// S29). What a registry says of them: whole/repository/dependencies.service.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Licences that let us use and redistribute a package unchanged and require no more than their notice. */
const allowed = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-3-Clause', 'ISC', 'MIT'];

type Locked = { dev?: boolean; license?: string };

/** The licence that a package declares or, if it declares none, the head of its licence file. */
function licenceOf(path: string): string {
  const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { license?: unknown };
  if (typeof license === 'string') return license;
  const [file] = globSync('LICENSE*', { cwd: join(root, path) });
  const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8');
  return /^(?:The )?MIT License/m.test(text) ? 'MIT' : 'unknown';
}

it('every package that the service runs on has a licence that is allowed', (test) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const { '': _, ...locked } = packages;
  const byLicence = new Map<string, string[]>();
  for (const [path, { dev = false, license = 'unknown' }] of Object.entries(locked)) {
    if (dev) continue;
    // Packages for other platforms are not installed.
    const licence = existsSync(join(root, path)) ? licenceOf(path) : license;
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), path.replace('node_modules/', '')]);
  }
  const lines = [...byLicence].map(([licence, names]) => `${licence}: ${names.sort().join(', ')}`).sort();
  assert.deepEqual(
    [...byLicence.keys()].filter((licence) => !allowed.includes(licence)),
    [],
    lines.join('\n'),
  );
  assert.deepEqual(
    allowed.filter((licence) => !byLicence.has(licence)),
    [],
    'what no package has is not allowed',
  );
  assert.ok([...byLicence.values()].flat().length > 100);
  test.annotate([...byLicence].map(([licence, { length }]) => `${licence} ${length}`).join(', '));
});
