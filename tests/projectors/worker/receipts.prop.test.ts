// Claim: a flush notes in the receipt of a push exactly the indexes of its folded records, each under the record's own source: applied if
// the record was new, a duplicate if it was a copy. So an index is noted as soon as one copy is folded and never before, in any order of
// copies and flushes. A violation would need a copy to count as another record, or another producer's record with the push's id to count as
// the push's own.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { GameState } from '../../../core/live/game-state.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import { receiptFolds } from '../../../projectors/worker/receipts.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { image, quote, seconds } from '../../support/builders/live-records.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';

const push = 'rcpt_1';

type Copy = { index: number; stranger: boolean; sound: boolean };

const copies: fc.Arbitrary<Copy> = fc.record({
  index: fc.integer({ min: 0, max: 5 }),
  stranger: fc.constantFrom(false, false, false, true),
  sound: fc.constantFrom(true, true, true, false),
});

const flushes = fc.array(fc.array(copies, { maxLength: 6 }), { maxLength: 6 });

/** What two gateways write for one keyed push: the same record except for its time. */
function recordOf({ index, stranger, sound }: Copy, at: number): QuotesRecord {
  const source = stranger ? 'stranger' : 'feed';
  const facts = { source, at, push, index, recordId: `key ${index}`, sha256: String(index).repeat(64) };
  const record = image(stranger ? 'S' : 'X', [quote('home', -110 - index)], facts);
  return sound ? record : { ...record, league: 'XFL' };
}

it('tells which records of a push are folded, each by its index and under its own source', () => {
  fc.assert(
    fc.property(flushes, (history) => {
      const live = { partition: 0, games: new Map(), touched: new Set<GameState>(), closed: new Set<string>() };
      const applied = new Set<string>();
      let offset = 0;
      for (const flush of history) {
        const changes = noLiveChanges();
        const expected = new Map<string, { applied: number[]; duplicates: number[]; refused: number[] }>();
        for (const copy of flush) {
          const value = recordOf(copy, offset);
          foldRecord(live, changes, delivered(value, offset));
          offset += 1;
          const fold = expected.get(value.source) ?? { applied: [], duplicates: [], refused: [] };
          expected.set(value.source, fold);
          const name = `${value.source} ${copy.index}`;
          if (!copy.sound) fold.refused.push(copy.index);
          else if (applied.has(name)) fold.duplicates.push(copy.index);
          else fold.applied.push(copy.index);
          if (copy.sound) applied.add(name);
        }
        const folds = receiptFolds(changes).map(({ records: _, ...fold }) => fold);
        assert.deepEqual(
          folds,
          [...expected].map(([source, fold]) => ({ receipt: push, source, ...fold })),
        );
      }
    }),
    { numRuns: 300 },
  );
});

it('tells nothing of records without an index, or of a source that cannot be', () => {
  const live = { partition: 0, games: new Map(), touched: new Set<GameState>(), closed: new Set<string>() };
  const changes = noLiveChanges();
  const sound = recordOf({ index: 0, stranger: false, sound: true }, 0);
  const wrong: QuotesRecord[] = [
    { ...sound, push_index: null },
    { ...sound, push_index: -1 },
    { ...sound, source: '' },
    { ...sound, source: 'x'.repeat(65_000) },
    { ...sound, push: null },
  ];
  for (const [offset, value] of wrong.entries()) foldRecord(live, changes, delivered(value, offset));
  assert.deepEqual(receiptFolds(changes), []);
});

function delivered(value: QuotesRecord, offset: number): DeliveredRecord {
  const bytes = Buffer.from(JSON.stringify(value));
  return { offset, timestamp: seconds(1_000), key: value.game_uuid, headers: {}, value, bytes, undecodable: null };
}
