// Common parts of dead letters are sent to the database once, and each letter is stored in order and complete, whatever parts it shares
// with others.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DeadLetter, DeadLetterSelection, SentQuotes } from '../../../core/ports/catalog/dead-letters.ts';
import { openDeadLettersCatalog } from '../../../platform/postgres/dead-letters-catalog.ts';
import { openObjectsCatalog } from '../../../platform/postgres/objects-catalog.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const orNull = <Value>(...values: Value[]) => fc.constantFrom(null, ...values);

/** Few values for each field, so that dead letters agree in some and differ in others. */
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
        { numRuns: 40 },
      );
    });

    const plain = (given: Partial<DeadLetter>): DeadLetter => ({
      ...{ topic: 'sds.quotes.v1', partition: null, offset: null, code: 'bad-price', detail: '', pointer: '' },
      ...{ source: 'feed', gameUuid: null, gameId: null, receipt: null, pushIndex: 0, payload: Buffer.from('small') },
      ...given,
    });
    const nothing = new Uint8Array();
    async function opened() {
      const { sql } = await openDatabase(server, { maxConnections: 2 });
      await sql.query('truncate dead_letters, letter_payloads, dropped_letters');
      return { sql, letters: openDeadLettersCatalog(sql), objects: openObjectsCatalog(sql) };
    }
    const everything = { before: 0, bytes: Number.MAX_SAFE_INTEGER };

    it('name the objects of their payloads, which are known for as long as one does', async () => {
      const { sql, letters, objects } = await opened();
      const held = { key: 'letters/one.zst', size: 70_000, sha256: 'ab'.repeat(32) };
      await letters.store([
        plain({ payload: nothing, held }),
        plain({ payload: nothing, held, pointer: '/quotes/1' }),
        plain({}),
      ]);
      const [three, two, one] = await letters.list({ before: null, limit: 10, code: null, source: null });
      const found = await Promise.all([one, two, three].map((each) => letters.one(each!.id)));
      assert.deepEqual(
        found.map((each) => each?.held),
        [held, held, null],
      );
      assert.deepEqual(found[2]?.payload, Buffer.from('small'));
      const known = async () => [...(await objects.knownObjects([held.key, 'letters/other.zst']))];
      assert.deepEqual(await known(), [held.key]);
      await sql.query(`update dead_letters set told = true`);
      await sql.query(`update dead_letters set at = now() - interval '9 days' where id = $1`, [one!.id]);
      assert.equal(await letters.forget({ ...everything, before: (Date.now() - 8 * 86_400_000) * 1_000 }), 1);
      assert.deepEqual(await known(), [held.key], 'another dead letter refers to it');
      assert.equal(await letters.forget({ ...everything, bytes: 500 }), 1);
      assert.deepEqual(await known(), []);
    });

    it('are dropped by age and by bytes, oldest first, and counted by source and code', async () => {
      const { sql, letters } = await opened();
      const codes = ['bad-price', 'bad-line', 'bad-price'];
      await letters.store(codes.map((code, index) => plain({ code, payload: Buffer.alloc(1_000, index) })));
      await letters.store([plain({ source: 'No Name!', payload: Buffer.alloc(1_000, 9) })]);
      assert.deepEqual([await letters.forget(everything), await letters.dropped()], [0, []]);
      assert.equal(await letters.forget({ ...everything, bytes: 3_000 }), 0, 'the topic does not have them yet');
      await sql.query('update dead_letters set told = true');
      assert.equal(await letters.forget({ ...everything, bytes: 3_000 }), 2);
      const left = async () => (await letters.list({ before: null, limit: 10, code: null, source: null })).length;
      assert.equal(await left(), 2);
      assert.equal(await letters.forget({ ...everything, before: (Date.now() + 60_000) * 1_000 }), 2);
      assert.equal(await left(), 0);
      const dropped = (await letters.dropped()).map(({ source, code, letters: number }) => [source, code, number]);
      assert.deepEqual(dropped, [
        ['', 'bad-price', 1],
        ['feed', 'bad-line', 1],
        ['feed', 'bad-price', 2],
      ]);
    });

    it('keep what it takes to replay them, until they are replayed', async () => {
      const { letters } = await opened();
      const sent: SentQuotes = {
        format: { name: 'the-odds-api-v4', oddsFormat: 'decimal', markets: 'h2h', bookmakers: null },
        ...{ key: 'key', mayBackfill: false, observedAt: null, keySha256: 'ab12' },
      };
      const receivedAt = 1_763_323_200_000_001;
      const record = { partition: 3, offset: 17, receivedAt, source: 'other' };
      await letters.store([
        plain({ sent, receivedAt, receipt: 'rcpt_1' }),
        plain({ ...record, payload: Buffer.from('whole') }),
        plain({ ...record, pointer: '/observation/operators/0' }),
        plain({}),
      ]);
      const through = await letters.newest();
      const every = { ids: null, code: null, source: null };
      const open = await letters.openOf(every, { after: 0, through }, 10);
      assert.deepEqual([open.length, open.at(-1)?.id], [4, through]);
      const [element, whole, part, old] = open;
      assert.deepEqual([element?.sent, element?.receivedAt, element?.receipt], [sent, receivedAt, 'rcpt_1']);
      assert.deepEqual([part?.partition, part?.offset, part?.receivedAt, part?.sent], [3, 17, receivedAt, null]);
      assert.ok(old!.receivedAt > receivedAt, 'when it was stored');
      assert.deepEqual(
        [await letters.firstOfRecord(part!), await letters.firstOfRecord(whole!)],
        [whole?.id, whole?.id],
      );
      const ids = async (of: Partial<DeadLetterSelection>, after = 0) =>
        (await letters.openOf({ ...every, ...of }, { after, through: part!.id }, 10)).map(({ id }) => id);
      assert.deepEqual(await ids({ source: 'other' }), [whole?.id, part?.id]);
      assert.deepEqual(await ids({}, element!.id), [whole?.id, part?.id]);
      assert.equal(await letters.markReplayed([element!.id, whole!.id]), 2);
      assert.equal(await letters.markReplayed([element!.id]), 0);
      assert.deepEqual(await ids({}), [part?.id]);
      assert.equal(await letters.discard({ ...every, ids: [whole!.id] }, 10), 0, 'it is replayed');
    });

    it('weigh a payload that many share once', async () => {
      const { sql, letters } = await opened();
      const payload = Buffer.alloc(20_000, 7);
      await letters.store(Array.from({ length: 50 }, (_, index) => plain({ payload, pointer: `/quotes/${index}` })));
      await sql.query('update dead_letters set told = true');
      assert.equal(await letters.forget({ ...everything, bytes: 50_000 }), 0);
      assert.equal(await letters.forget({ ...everything, bytes: 30_000 }), 26);
    });
  });
}
