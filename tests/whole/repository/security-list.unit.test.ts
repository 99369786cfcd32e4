// SECURITY.md lists the checks S1 to S38 without a gap, and every file and test that it names exists; the policies give no role more than it uses.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const rows = read('SECURITY.md')
  .split('\n')
  .filter((line) => /^\| S\d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('lists every check once, in order', () => {
  assert.deepEqual(
    rows.map(([, number]) => number),
    Array.from({ length: 38 }, (_, at) => `S${at + 1}`),
  );
});

it('names files and tests that exist', () => {
  const missing: string[] = [];
  for (const [, number, , kept = '', tests = ''] of rows) {
    const files = [...kept.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string);
    const named = [...tests.matchAll(/[a-z0-9/-]+\.(?:unit|prop|sim|contract|service|e2e)\b/g)].map(
      ([test]) => `tests/${test}.test.ts`,
    );
    if (files.length === 0 || (named.length === 0 && !tests.includes('npm run bench')))
      missing.push(`${number}: nothing`);
    for (const path of [...files, ...named]) if (!existsSync(new URL(path, root))) missing.push(`${number}: ${path}`);
  }
  assert.deepEqual(missing, []);
});

it('lets the API read objects and nothing else, the gateway delete none, and anyone write a key once', () => {
  const policy = (name: string) =>
    JSON.parse(read(`ops/policies/s3-${name}.json`)) as { Statement: { Effect: string; Action: string | string[] }[] };
  const allowed = (name: string) => [
    ...new Set(policy(name).Statement.flatMap(({ Effect, Action }) => (Effect === 'Allow' ? Action : []))),
  ];
  assert.deepEqual(allowed('api'), ['s3:GetObject', 's3:ListBucket']);
  assert.deepEqual(allowed('ingest'), ['s3:GetObject', 's3:PutObject', 's3:ListBucket']);
  assert.deepEqual(allowed('projectors'), ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListBucket']);
  assert.match(read('ops/policies/s3-bucket.json'), /"s3:if-none-match": "true"/);
  assert.match(read('platform/objects/s3.ts'), /IfNoneMatch: '\*'/);
});
