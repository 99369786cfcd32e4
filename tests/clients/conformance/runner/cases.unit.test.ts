// What the suite's README says of its cases.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { parse } from 'yaml';
import { conformanceCases } from '../../../../clients/conformance/runner/cases.ts';

const suite = new URL('../../../../clients/conformance/', import.meta.url);

it('the case that the README shows is one of the suite', () => {
  const readme = readFileSync(new URL('README.md', suite), 'utf8');
  const shown = [...readme.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
  assert.equal(shown.length, 1);
  const all = conformanceCases().flatMap(({ cases }) => cases);
  for (const one of parse(shown[0] ?? '') as { name: string }[]) {
    assert.deepEqual(
      one,
      all.find(({ name }) => name === one.name),
    );
  }
});

it('a reader of YAML 1.1 finds the same cases', () => {
  const files = readdirSync(new URL('cases/', suite));
  assert.deepEqual(
    files.sort().map((file) => ({
      file,
      cases: parse(readFileSync(new URL(`cases/${file}`, suite), 'utf8'), { version: '1.1' }),
    })),
    conformanceCases(),
  );
});
