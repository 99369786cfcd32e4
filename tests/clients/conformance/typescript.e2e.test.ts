// The TypeScript client passes every case of the conformance suite.
import { afterAll, describe, it } from 'vitest';
import { conformanceCases } from '../../../clients/conformance/runner/cases.ts';
import { CasePlayer } from '../../../clients/conformance/runner/play.ts';
import { typescriptAdapter } from '../../support/clients/adapters.ts';

describe('TypeScript', () => {
  const player = new CasePlayer(typescriptAdapter);
  afterAll(() => player.end());
  for (const { cases } of conformanceCases()) {
    for (const each of cases) it(each.name, () => player.play(each));
  }
});
