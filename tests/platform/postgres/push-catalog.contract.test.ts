// Receipts on PostgreSQL: the sum of the folds of a push, compared with a model that lists every record and its copies, without sets or
// SQL.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import type { LiveCatalog } from '../../../core/ports/catalog/live.ts';
import type { PushCatalog, ReceiptFold, ReceiptRecord } from '../../../core/ports/catalog/pushes.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openLiveCatalog } from '../../../platform/postgres/live-catalog.ts';
import { openPushCatalog } from '../../../platform/postgres/push-catalog.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const campaign = Number(process.env.SDS_CAMPAIGN ?? 1);

type State = ReceiptRecord['state'];
/** A record as a fold read it: a copy of index `index` in the log of `partition`. */
type Folded = { source: string; index: number; state: State; plain: boolean };

const states: Record<State, 'applied' | 'duplicates' | 'refused'> = {
  applied: 'applied',
  duplicate: 'duplicates',
  refused: 'refused',
};

/** The commit of one flush. */
function foldsOf(receipt: string, flush: readonly Folded[]): ReceiptFold[] {
  return [...new Set(flush.map(({ source }) => source))].map((source) => {
    const fold = { applied: [] as number[], duplicates: [] as number[], refused: [] as number[] };
    const records: ReceiptRecord[] = [];
    for (const { index, state, plain } of flush.filter((each) => each.source === source)) {
      fold[states[state]].push(index);
      if (state !== 'applied' || !plain) records.push(recordOf(index, state));
    }
    return { receipt, source, ...fold, records };
  });
}

function recordOf(index: number, state: State): ReceiptRecord {
  const refusals = state === 'duplicate' ? [] : [{ pointer: '', code: 'conflict' }];
  return { index, state, game_id: 'g', seq: 1, rows: 2, refusals };
}

const folded: fc.Arbitrary<Folded> = fc.record({
  source: fc.constantFrom('feed', 'feed', 'feed', 'feed', 'stranger'),
  index: fc.integer({ min: 0, max: 7 }),
  state: fc.constantFrom<State>('applied', 'applied', 'duplicate', 'refused'),
  plain: fc.boolean(),
});

/** Records by flush; an index is always in the same partition. */
const histories = fc.array(fc.array(folded, { minLength: 1, maxLength: 5 }), { maxLength: 6 });

for (const server of await allTestServers()) {
  describe(`receipts on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let live: LiveCatalog;
    let pushes: PushCatalog;
    let streams = 0;

    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      live = openLiveCatalog(sql);
      pushes = openPushCatalog(sql);
    });

    async function accept(indexes: readonly number[], receipt: string = randomUUID()): Promise<string> {
      const entry = {
        receipt,
        source: 'feed',
        receivedAt: 1_786_000_000_654_321,
        duplicates: 0,
        rejected: [],
        rejectedMore: 0,
      };
      await pushes.acknowledge({ ...entry, accepted: indexes.length, acceptedIndexes: indexes }, null, []);
      return receipt;
    }

    /** The owner of a partition: each call commits a flush. */
    async function owner() {
      streams += 1;
      const stream = { projector: 'live', topic: 'sds.quotes.v1', partition: streams };
      const { ownerEpoch } = await openCheckpointsCatalog(sql).claim(stream, 'owner');
      let offset = 0;
      return async (receipts: readonly ReceiptFold[]) => {
        const from = offset;
        offset += 1;
        const nothing = {
          snapshot: null,
          logVersion: null,
          games: [],
          settlements: [],
          objects: [],
          released: [],
          deadLetters: [],
        };
        const commit = { stream, ownerEpoch, from, to: offset, foldDigest: 'ab', ...nothing, receipts };
        assert.equal(await live.commit(commit), 'committed');
      };
    }

    async function stateOf(receipt: string) {
      const found = await pushes.receipt(receipt);
      assert.ok(found !== null);
      const { accepted, applied, foldedDuplicates: duplicates, refused, records } = found;
      return { accepted, applied, duplicates, refused, records };
    }

    it('count the parts that were refused of applied records, each record once', async () => {
      const commit = await owner();
      const receipt = await accept([0, 1]);
      const fold = { receipt, source: 'feed', duplicates: [], refused: [] };
      const refusals = [1, 2, 3].map((n) => ({ pointer: `/quotes/${n}`, code: 'unknown-selection' }));
      const listed = { ...recordOf(1, 'applied'), refusals };
      await commit([{ ...fold, applied: [0, 1], records: [listed] }]);
      await commit([{ ...fold, applied: [1], records: [listed] }]);
      assert.equal((await pushes.receipt(receipt))?.refusedParts, 3);
    });

    it('keep a record by its place, where that is not its index', async () => {
      const commit = await owner();
      const place = 2 ** 31 + 2 ** 48 - 1;
      const receipt = await accept([0, place]);
      const other = { ...recordOf(1, 'applied'), place: place - 1 };
      const listed = { ...recordOf(1, 'applied'), place };
      const fold = { receipt, source: 'feed', duplicates: [], refused: [] };
      await commit([{ ...fold, applied: [0, 1, place - 1], records: [recordOf(1, 'applied'), other] }]);
      assert.deepEqual(await stateOf(receipt), { accepted: 2, applied: 1, duplicates: 0, refused: 0, records: [] });
      await commit([{ ...fold, applied: [place], records: [listed] }]);
      assert.deepEqual(await stateOf(receipt), {
        accepted: 2,
        applied: 2,
        duplicates: 0,
        refused: 0,
        records: [listed],
      });
    });

    it('list records in the order of the push, whatever their places', async () => {
      const commit = await owner();
      const records = [0, 1, 2].map((index) => ({ ...recordOf(index, 'applied'), place: 2 ** 31 + 9 - index }));
      const places = records.map(({ place }) => place);
      const receipt = await accept(places);
      await commit([{ receipt, source: 'feed', applied: places, duplicates: [], refused: [], records }]);
      assert.deepEqual((await stateOf(receipt)).records, records);
    });

    // Claim: however often records were delivered, in whatever flushes and partitions, before or after the
    // acknowledgement, and whichever other sources named the receipt, each accepted index counts exactly once after it
    // was folded. So the counts reach `accepted` exactly when every record was folded. A violation would need a copy,
    // another source's record or a record without an index to be counted.
    it('count each accepted record of their own source once, whatever is delivered again', async () => {
      const commits = [await owner(), await owner()];
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 }),
          histories,
          fc.boolean(),
          async (accepted, flushes, foldedFirst) => {
            const receipt = randomUUID();
            if (!foldedFirst) await accept(accepted, receipt);
            for (const flush of flushes) {
              for (const [partition, commit] of commits.entries()) {
                const here = flush.filter(({ index }) => index % 2 === partition);
                if (here.length > 0) await commit(foldsOf(receipt, here));
              }
            }
            if (foldedFirst) await accept(accepted, receipt);

            const expected = { accepted: accepted.length, applied: 0, duplicates: 0, refused: 0 };
            const records: ReceiptRecord[] = [];
            for (const index of accepted.toSorted((a, b) => a - b)) {
              const copies = flushes.flat().filter((each) => each.index === index && each.source === 'feed');
              const state = (['applied', 'refused', 'duplicate'] as const).find((each) =>
                copies.some((copy) => copy.state === each),
              );
              if (state === undefined) continue;
              expected[states[state]] += 1;
              if (copies.some((copy) => copy.state === state && (state !== 'applied' || !copy.plain)))
                records.push(recordOf(index, state));
            }
            assert.deepEqual(await stateOf(receipt), { ...expected, records });
          },
        ),
        { numRuns: Math.ceil(60 * campaign) },
      );
    });

    it('are not applied by the copies of a record while another is missing', async () => {
      const [commit, receipt] = [await owner(), await accept([0, 1])];
      const first = { source: 'feed', index: 0, plain: true } as const;
      await commit(foldsOf(receipt, [{ ...first, state: 'applied' }]));
      await commit(foldsOf(receipt, [{ ...first, state: 'duplicate' }]));
      assert.deepEqual(await stateOf(receipt), { accepted: 2, applied: 1, duplicates: 0, refused: 0, records: [] });
      await commit(foldsOf(receipt, [{ ...first, index: 1, state: 'duplicate' }]));
      assert.deepEqual(await stateOf(receipt), {
        accepted: 2,
        applied: 1,
        duplicates: 1,
        refused: 0,
        records: [recordOf(1, 'duplicate')],
      });
    });

    it('show nothing of a record of another source that carries them, and keep it from no other receipt', async () => {
      const [commit, receipt] = [await owner(), await accept([0])];
      const stranger = { source: 'stranger', index: 0, state: 'refused', plain: false } as const;
      await commit(foldsOf(receipt, [stranger]));
      assert.deepEqual(await stateOf(receipt), { accepted: 1, applied: 0, duplicates: 0, refused: 0, records: [] });
      await commit(foldsOf(receipt, [stranger, { ...stranger, source: 'feed', state: 'applied', plain: true }]));
      assert.deepEqual(await stateOf(receipt), { accepted: 1, applied: 1, duplicates: 0, refused: 0, records: [] });
    });

    it('keep the first thousand records that are not plainly applied', async () => {
      const indexes = Array.from({ length: 1_200 }, (_, index) => index * 2);
      const [commit, receipt] = [await owner(), await accept(indexes)];
      const all = indexes.map((index): Folded => ({ source: 'feed', index, state: 'refused', plain: false }));
      await commit(foldsOf(receipt, all.toReversed()));
      const { refused, records } = await stateOf(receipt);
      assert.equal(refused, 1_200);
      assert.deepEqual(
        records.map(({ index }) => index),
        indexes.slice(0, 1_000),
      );
    });

    it('of an empty push are applied at once', async () => {
      const receipt = await accept([]);
      assert.deepEqual(await stateOf(receipt), { accepted: 0, applied: 0, duplicates: 0, refused: 0, records: [] });
    });
  });
}
