// The vectors of revisions through both editions, each in one of them by the seed of the run: pushed over HTTP at the times that the cases say, folded, published, read back over HTTP.
import { describe, it } from 'vitest';
import { caseLeftOut, twoEditions } from '../../support/editions/two-editions.ts';
import { msfVectors } from '../../support/vectors/msf-vectors.ts';
import { type RevisionsVector, runMsfVector } from '../../support/vectors/run-msf-vector.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of twoEditions) {
  describe(`revisions of the vectors, ${name}`, { ...skipFor(skip), concurrent: true }, () => {
    for (const vector of msfVectors<RevisionsVector>('revisions')) {
      it(vector.name, skipFor(caseLeftOut(name, vector.name)), async () => {
        const { drop, ...options } = await prepare();
        try {
          await runMsfVector(vector, options);
        } finally {
          await drop();
        }
      });
    }
  });
}
