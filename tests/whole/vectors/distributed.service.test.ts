// Every vector through the whole distributed edition: the same pushes and readings as of the embedded one, on real Kafka, PostgreSQL and S3.
import { describe, it } from 'node:test';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { runVector } from '../../support/vectors/run-vector.ts';
import { vectorCases } from '../../support/vectors/vector-cases.ts';

describe('vectors through the distributed edition', { skip: distributedSkip, concurrency: 3 }, () => {
  for (const vector of vectorCases()) {
    it(vector.name, async () => {
      const edition = await distributedEdition(1);
      try {
        await runVector(vector, edition);
      } finally {
        await edition.drop();
      }
    });
  }
});
