// Every vector through the whole embedded edition: pushed over HTTP at the moment the case asks for, folded, published, read back over HTTP.
import { describe, it } from 'node:test';
import { services } from '../../support/services/services.ts';
import { runVector } from '../../support/vectors/run-vector.ts';
import { vectorCases } from '../../support/vectors/vector-cases.ts';

const postgres = await services.postgres();

describe('vectors through the embedded edition', { skip: postgres.skip, concurrency: 2 }, () => {
  for (const vector of vectorCases()) {
    it(vector.name, async () => {
      if (postgres.skip !== false) return;
      const database = await postgres.createDatabase();
      try {
        await runVector(vector, { environment: { DATABASE_URL: database.url } });
      } finally {
        await database.drop();
      }
    });
  }
});
