// Claim: where a log is cut depends on its rows alone: the fold, whatever records the rows came by and however often it was
// saved and loaded between them, cuts where one pass over the finished rows cuts. A violation would need a cut that looks at
// a record, a flush or a restart. (Rows of two sources interleave in time, forwards and backwards.)
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { opensNewSegment } from '../../../core/live/segment-cut.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { delta, quote } from '../../support/builders/live-records.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

const bursts = fc.array(
  fc.record({
    quotes: fc.integer({ min: 1, max: 400 }),
    minutes: fc.integer({ min: 0, max: 9 }),
    other: fc.boolean(),
    restart: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

it('cuts at the same rows as one pass over the finished log', () => {
  fc.assert(
    fc.property(bursts, (pushed) => {
      const log = new LiveLog();
      let minutes = 0;
      let price = 0;
      for (const burst of pushed) {
        minutes += burst.minutes;
        price += 1;
        const quotes = Array.from({ length: burst.quotes }, (_, each) => quote(`s${each}`, 100 + (price % 900)));
        const [operator, source, at] = burst.other ? ['B', 'late', minutes * 60 - 1_000] : ['A', 'feed', minutes * 60];
        log.apply(delta(operator as string, quotes, { source: source as string, at: at as number }));
        if (burst.restart) log.saveAndLoad();
      }
      assert.deepEqual(log.segments, cut(log.rows));
      assert.equal(log.game.segment?.seq, log.segments.length);
    }),
    { numRuns: cases(60) },
  );
});

function cut(rows: readonly { timestamp: number }[]): number[] {
  const segments: number[] = [];
  let firstTimestamp = 0;
  for (const { timestamp } of rows) {
    const open = segments.at(-1);
    if (open === undefined || opensNewSegment({ rows: open, firstTimestamp }, timestamp)) {
      segments.push(1);
      firstTimestamp = timestamp;
    } else {
      segments[segments.length - 1] = open + 1;
    }
  }
  return segments;
}
