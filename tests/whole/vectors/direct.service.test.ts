// Every vector as records put on the topic directly, in both editions: what comes without a gateway is held to the same rules by the fold
// (docs/operations.md#topics; docs/quotes.md#where-refusals-show). What no such record can say is listed here, with the reason.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { distributedEdition, distributedSkip } from '../../support/editions/distributed.ts';
import { caseLeftOut } from '../../support/editions/two-editions.ts';
import { services } from '../../support/services/services.ts';
import { type LeftOut, runDirectVector } from '../../support/vectors/run-direct-vector.ts';
import { vectorCases } from '../../support/vectors/vector-cases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** Cases that only a push can express. */
const aboutPushes: Record<string, string> = {
  'idempotency-key': 'a key of pushes; a direct record that wants to be known again brings a record_id of its own',
  'same-content-from-another-push': 'elements of one push share a time; each direct record stands for itself',
};

/** Elements that cannot be put on the topic, by case: `[step, index, reason]`. */
const leftOut: Record<string, LeftOut> = {
  'bad-shapes': [
    [0, 1, 'it names no game'],
    [0, 3, 'in_play that is no boolean'],
    [0, 4, 'markets that are no list'],
    [0, 5, 'a text that is not a time'],
    [0, 6, 'it names no game'],
    [0, 7, 'an element that is no object'],
    [0, 8, 'quotes that are no list'],
  ],
  'forbidden-time': [
    [0, 0, 'the scope of a feed key'],
    [1, 0, 'the scope of a feed key'],
  ],
  'game-conflict': [
    [1, 0, 'it names no game'],
    [1, 2, 'it names no game'],
  ],
  'odds-api-bad-event': [
    [0, 0, 'it names no game'],
    [0, 1, 'it names no game'],
    [0, 2, 'a text that is not a time'],
    [0, 4, 'it names no game'],
  ],
  'source-time-limits': [
    [0, 4, 'a text that is not a time'],
    [0, 6, 'a text that is not a time'],
  ],
  'too-large': [[1, 0, 'the bytes of its JSON']],
};

const postgres = await services.postgres();
const ofPushes = vectorCases().filter(({ name }) => !Object.hasOwn(aboutPushes, name));

describe('vectors as direct records, embedded', { ...skipFor(postgres.skip), concurrent: true }, () => {
  for (const vector of ofPushes) {
    it(vector.name, skipFor(caseLeftOut('embedded', `direct ${vector.name}`)), async () => {
      if (postgres.skip !== false) return;
      const database = await postgres.createMigratedDatabase();
      try {
        const environment = { DATABASE_URL: database.url };
        assert.deepEqual(await runDirectVector(vector, { environment }), leftOut[vector.name] ?? []);
      } finally {
        await database.drop();
      }
    });
  }
});

describe('vectors as direct records, on Kafka', { ...skipFor(distributedSkip), concurrent: true }, () => {
  for (const vector of ofPushes) {
    it(vector.name, skipFor(caseLeftOut('distributed', `direct ${vector.name}`)), async () => {
      const edition = await distributedEdition(1);
      try {
        assert.deepEqual(await runDirectVector(vector, edition), leftOut[vector.name] ?? []);
      } finally {
        await edition.drop();
      }
    });
  }
});
