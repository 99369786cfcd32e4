// What dead letters have in common is sent once, and each is kept with all that is its own: in order, whatever they share and with which others.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { openDeadLettersCatalog } from '../../../platform/postgres/dead-letters-catalog.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const orNull = <Value>(...values: Value[]) => fc.constantFrom(null, ...values);

/** Of few values each, so that letters agree in some and differ in others. */
const letter: fc.Arbitrary<DeadLetter> = fc.record(
  {
    topic: fc.constantFrom('push', 'sds.quotes.v1'),
    partition: orNull(0, 1),
    offset: orNull(7, 8),
    code: fc.constantFrom('bad-price', 'bad-line'),
    detail: fc.constantFrom('', 'no price', '{"f":1}'),
    pointer: fc.constantFrom('', '/quotes/0', '/quotes/1'),
    source: orNull('feed', 'other'),
    gameUuid: orNull(uuid),
    gameId: orNull('NFL_20260805'),
    receipt: orNull('rcpt_1'),
    pushIndex: orNull(0, 1),
    payload: fc.integer({ min: 0, max: 30 }).map((number) => Buffer.from(`payload ${number}`)),
  },
  { noNullPrototype: true },
);

for (const server of await allTestServers()) {
  describe(`dead letters on ${server.name}`, skipFor(server.skip), () => {
    it('are kept as they were given', async () => {
      const { sql } = await openDatabase(server, { maxConnections: 1 });
      const { store } = openDeadLettersCatalog(sql);
      await fc.assert(
        fc.asyncProperty(fc.array(letter, { maxLength: 40 }), async (letters) => {
          await sql.query('truncate dead_letters, letter_payloads');
          await store(letters);
          const { rows } = await sql.query(
            `select topic, partition, "offset", code, detail, pointer, source, game_uuid as "gameUuid", game_id as "gameId", receipt,
               push_index as "pushIndex", coalesce(payload, (select payload from letter_payloads where id = payload_id)) as payload
             from dead_letters order by id`,
          );
          assert.deepEqual(rows, letters);
        }),
        { numRuns: cases(40) },
      );
    });
  });
}
