// docs/durability.md#invariants says which function keeps what and which test fails without it: the files, names and tests it speaks of exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('docs/durability.md', root), 'utf8');
const rows = text.split('\n').filter((line) => /^\| I\d+ \|/.test(line));

it('lists every invariant once', () => {
  const numbers = rows.map((row) => /^\| (I\d+)/.exec(row)?.[1]);
  assert.equal(new Set(numbers).size, numbers.length);
  assert.ok(numbers.length > 0);
});

for (const row of rows) {
  const [, number, , keepers, tests] = row.split('|').map((cell) => cell.trim());
  it(`${number} names what exists`, () => {
    for (const [, names, path] of (keepers ?? '').matchAll(/((?:`[^`]+`(?:, )?)+)[^`(]*\(([a-z][a-z/-]*\.ts)\)/g)) {
      const source = [path, `core/${path}`]
        .map((each) => new URL(each as string, root))
        .find((each) => existsSync(each));
      assert.ok(source !== undefined, `there is no ${path}`);
      const code = readFileSync(source, 'utf8');
      for (const [, name] of (names as string).matchAll(/`([^`]+)`/g)) {
        assert.ok(code.includes(name as string), `${path} has no ${name}`);
      }
    }
    for (const test of (tests ?? '').split(', ')) {
      assert.ok(existsSync(new URL(`tests/${test}.test.ts`, root)), `there is no test ${test}`);
    }
  });
}

it('wherever a page names a test, there is one', () => {
  const pages = ['SECURITY.md', ...globSync('{docs,tests}/**/*.md', { cwd: fileURLToPath(root) })];
  const named = pages.flatMap((page) =>
    [
      ...readFileSync(new URL(page, root), 'utf8').matchAll(/`([a-z0-9/-]+\.(?:unit|prop|sim|contract|service|e2e))`/g),
    ].map(([, test]) => `tests/${test}.test.ts`),
  );
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((path) => !existsSync(new URL(path, root))),
    [],
  );
});
