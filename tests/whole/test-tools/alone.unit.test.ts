// A file that is alone for a reason is a file that there is: a stale name would keep nothing from its neighbours.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'vitest';
import { alone } from '../../support/vitest/alone.ts';

const root = new URL('../../../', import.meta.url);

for (const file of Object.keys(alone)) {
  it(`${file} is here, and says by its suffix where it runs`, () => {
    assert.match(file, /\.(?:unit|prop|sim|contract|service|e2e)\.test\.ts$/);
    assert.ok(existsSync(new URL(file, root)));
  });
}
