// Every vector through the whole embedded edition: pushed over HTTP at the moment the case asks for, folded, published, read back over HTTP.
// A run takes each vector here or in the distributed edition, by its seed.
import { describe, it } from 'vitest';
import { caseLeftOut } from '../../support/editions/two-editions.ts';
import { services } from '../../support/services/services.ts';
import { runVector } from '../../support/vectors/run-vector.ts';
import { vectorCases } from '../../support/vectors/vector-cases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

describe('vectors through the embedded edition', { ...skipFor(postgres.skip), concurrent: true }, () => {
  for (const vector of vectorCases()) {
    it(vector.name, skipFor(caseLeftOut('embedded', vector.name)), async () => {
      if (postgres.skip !== false) return;
      const database = await postgres.createMigratedDatabase();
      try {
        await runVector(vector, { environment: { DATABASE_URL: database.url } });
      } finally {
        await database.drop();
      }
    });
  }
});
