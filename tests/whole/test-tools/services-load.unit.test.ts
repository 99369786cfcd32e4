// The services of tests load no client until a test asks for it. Each file that needs services runs in a process of its own, and most of
// them use one service. A driver of browsers that all of them loaded would take a run of everything a minute of CPU.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { type Import, readSource } from '../../support/architecture/source.ts';

const root = new URL('../../../', import.meta.url);

/** What is loaded with a file of this repository; what it loads later, by `import()`, is not. */
function loadedWith(path: string): Import[] {
  const text = readFileSync(new URL(path, root), 'utf8');
  const lines = text.split('\n');
  return readSource({ path, text }).imports.filter(
    ({ typeOnly, line }) => !typeOnly && !/\bimport\s*\(/.test(lines[line - 1] ?? ''),
  );
}

it('what lends tests their services loads the client of PostgreSQL, and no other', () => {
  const files = new Set(['tests/support/services/services.ts']);
  const packages = new Set<string>();
  for (const path of files)
    for (const { specifier, file } of loadedWith(path))
      if (file !== undefined) files.add(file);
      else if (!specifier.startsWith('node:')) packages.add(specifier);
  assert.deepEqual([...packages], ['pg']);
});
