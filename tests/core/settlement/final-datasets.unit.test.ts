// A version is due when an input has changed, and PostgreSQL sees only what its functions name: an input that they leave out compiles, and
// its changes never cause a version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { finalDatasetInputs } from '../../../core/settlement/final-datasets.ts';

const catalog = readFileSync(new URL('../../../schemas/catalog/expected.sql', import.meta.url), 'utf8');

/** The two texts that a landing is compared with: the column `orders`, and the evidence. */
const parts = ["'again/'", 'FUNCTION public.settlement_evidence('].map((beginning) => {
  const at = catalog.indexOf(beginning);
  assert.ok(at > 0, `${beginning} is not in expected.sql`);
  return catalog.slice(at, catalog.indexOf('\n\n', at));
});

for (const [dataset, inputs] of Object.entries(finalDatasetInputs)) {
  it(`the catalog names each input of ${dataset}`, () => {
    assert.deepEqual(
      inputs.filter((input) => !parts.some((part) => new RegExp(`'[ ]?${input}[/']`).test(part))),
      [],
    );
  });
}
