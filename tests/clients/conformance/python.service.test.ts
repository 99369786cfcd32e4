// Both Python clients pass every case of the conformance suite.
import assert from 'node:assert/strict';
import { afterAll, describe, it } from 'vitest';
import { conformanceCases } from '../../../clients/conformance/runner/cases.ts';
import { CasePlayer } from '../../../clients/conformance/runner/play.ts';
import { pythonAdapters } from '../../support/clients/adapters.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();

for (const [name, command] of Object.entries(pythonAdapters(python.skip === false ? python.path : ''))) {
  describe(name, skipFor(python.skip), () => {
    const player = new CasePlayer(command);
    afterAll(() => player.end());
    for (const { cases } of conformanceCases()) {
      for (const each of cases) it(each.name, () => player.play(each));
    }
  });
}

it('no two cases have one name', () => {
  const names = conformanceCases().flatMap(({ cases }) => cases.map(({ name }) => name));
  assert.ok(names.length > 50);
  assert.equal(new Set(names).size, names.length);
});
