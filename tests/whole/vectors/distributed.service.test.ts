// Every vector through the whole distributed edition: the same pushes and readings as of the embedded one, on real Kafka, PostgreSQL and S3.
// A run takes each vector here or in the embedded edition, by its seed.
import { describe, it } from 'vitest';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { caseLeftOut } from '../../support/editions/two-editions.ts';
import { runVector } from '../../support/vectors/run-vector.ts';
import { vectorCases } from '../../support/vectors/vector-cases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

describe('vectors through the distributed edition', { ...skipFor(distributedSkip), concurrent: true }, () => {
  for (const vector of vectorCases()) {
    it(vector.name, skipFor(caseLeftOut('distributed', vector.name)), async () => {
      const edition = await distributedEdition(1);
      try {
        await runVector(vector, edition);
      } finally {
        await edition.drop();
      }
    });
  }
});
