// The vectors are those that the rules were written with: where the pages of their origin lie beside this repository, both are the same.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { skipFor } from '../../support/vitest/skip-for.ts';

const here = new URL('../../vectors/', import.meta.url);
const origin = new URL('../../../../shared/spec/vectors/', import.meta.url);

it(
  'the vectors are those of their origin, file by file',
  skipFor(existsSync(origin) ? false : '../shared/spec/vectors is absent'),
  () => {
    const filesBelow = (folder: URL): string[] =>
      (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\/.*\.(json|csv)$/.test(name)).sort();
    assert.deepEqual(filesBelow(here), filesBelow(origin));
    const differing = filesBelow(here).filter(
      (name) => !readFileSync(new URL(name, here)).equals(readFileSync(new URL(name, origin))),
    );
    assert.deepEqual(differing, []);
  },
);
