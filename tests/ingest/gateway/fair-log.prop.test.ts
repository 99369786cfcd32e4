// Whatever keys push, however large and whenever, with a projector that folds late, stands or keeps up: once it keeps up, each push that was
// taken ends within the time for which an unfolded record can hold it up, without a further push; and each record is in the log once.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import fc from 'fast-check';
import { it } from 'vitest';
import type { Ends, OutgoingRecord } from '../../../core/ports/broker.ts';
import { largeCost } from '../../../core/scheduling/large-records.ts';
import { ownPart, stalledMs } from '../../../core/scheduling/unfolded.ts';
import { openFairLog } from '../../../ingest/gateway/fair-log.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { rawObservation, rawQuote, rawRecord } from '../../support/builders/raw-quotes.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

type Push = { afterMs: number; key: string; quotes: number[]; partition: number; foldsBefore: boolean };

const lookEveryMs = 20;
const quote = rawQuote({ market: 'moneyline', selection: 'home' });

const someQuotes = fc.constantFrom(1, ownPart / 2, ownPart, 2 * ownPart, largeCost + 1, 2 * largeCost);
const somePush = fc.record<Push>({
  afterMs: fc.constantFrom(0, 10, 100, 600, 2_000),
  key: fc.constantFrom('a', 'b', 'c'),
  quotes: fc.array(someQuotes, { minLength: 1, maxLength: 4 }),
  partition: fc.integer({ min: 0, max: 1 }),
  foldsBefore: fc.boolean(),
});

function recordsOf({ quotes, partition }: Push, push: number): OutgoingRecord[] {
  return quotes.map((count, at) => {
    const operators = [{ operator: 'X', quotes: Array.from({ length: count }, () => quote) }];
    const value = rawRecord(rawObservation({ operators }), {});
    return { key: 'game', partition, value, headers: { name: `${push}.${at}` } };
  });
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await pass();
}

it('each push ends once the projector keeps up, and each record is in the log once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(somePush, { minLength: 1, maxLength: 8 }), async (pushes) => {
      const clock = openManualClock(0);
      const ends = [0, 0];
      let folded = [0, 0];
      const taken: string[] = [];
      const broker = {
        partitionOf: async () => 0,
        async produce(_: string, records: readonly OutgoingRecord[]): Promise<Ends> {
          for (const { partition = 0, headers } of records) {
            ends[partition] = (ends[partition] ?? 0) + 1;
            taken.push(headers?.name ?? '');
          }
          return new Map(ends.entries());
        },
      };
      const progress = { nextOffsets: async () => new Map(folded.entries()) };
      const fair = openFairLog({ broker, progress, clock, log: { error: assert.fail } });
      const elapse = async (ms: number, whileDoing = () => {}): Promise<void> => {
        for (let left = ms; left > 0; left -= lookEveryMs) {
          whileDoing();
          clock.advance(lookEveryMs);
          await settle();
        }
      };
      const keepUp = () => {
        folded = [...ends];
      };
      const open = new Set<number>();
      for (const [nth, push] of pushes.entries()) {
        await elapse(push.afterMs);
        if (push.foldsBefore) {
          keepUp();
          await elapse(100);
        }
        open.add(nth);
        void fair.append(push.key, topics.quotes, recordsOf(push, nth)).then(() => open.delete(nth));
        await settle();
      }
      for (let waited = 0; open.size > 0 && waited < pushes.length * stalledMs; waited += 100)
        await elapse(100, keepUp);
      assert.deepEqual([...open], [], 'pushes that never end');
      assert.deepEqual(
        taken.sort(),
        pushes.flatMap((push, nth) => recordsOf(push, nth).map(({ headers }) => headers?.name ?? '')).sort(),
      );
      fair.close();
      await settle();
    }),
    { numRuns: 150 },
  );
});
