// A file that is alone, or first, is a file that there is: a stale name would keep nothing from its neighbours, and let nothing start early.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { alone } from '../../support/vitest/alone.ts';
import { SlowFirst, slow } from '../../support/vitest/slow-first.ts';

const root = new URL('../../../', import.meta.url);

for (const file of [...Object.keys(alone), ...slow]) {
  it(`${file} is here, and says by its suffix where it runs`, () => {
    assert.match(file, /\.(?:unit|prop|sim|contract|service|e2e)\.test\.ts$/);
    assert.ok(existsSync(new URL(file, root)));
  });
}

it('starts the slow files of a phase first, the slowest before all, and none before an earlier phase', async () => {
  const file = (path: string, groupOrder: number): TestSpecification =>
    ({
      moduleId: `${root.pathname}${path}`,
      project: { name: path, config: { isolate: true, sequence: { groupOrder } } },
    }) as unknown as TestSpecification;
  const known = { cache: { getTestSpecificationResult: () => ({ failed: false, duration: 1 }) } };
  const [slowest = '', second = ''] = slow;
  const files = [file('tests/a.e2e.test.ts', 1), file(second, 1), file(slowest, 1), file('tests/z.unit.test.ts', 0)];
  const sorted = await new SlowFirst(known as unknown as Vitest).sort(files);
  assert.deepEqual(
    sorted.map(({ project }) => project.name),
    ['tests/z.unit.test.ts', slowest, second, 'tests/a.e2e.test.ts'],
  );
});
