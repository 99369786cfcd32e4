// Claim: the indexes answer "within 12 hours" as looking at every moment would, whatever the order in which they were added.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { EventTimes, halfDay, StartTimes } from '../../../core/games/start-times.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const moment = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: -40, max: 40 }).map((hours) => hours * (halfDay / 12)),
  fc.integer({ min: -3 * halfDay, max: 3 * halfDay }),
);
const near = (a: number, b: number) => Math.abs(a - b) <= halfDay;

describe('moments within half a day', () => {
  it('of games', () => {
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 6 }), moment, (times, asked) => {
        const starts = new StartTimes<number>();
        for (const time of times) starts.add(time, time);
        const found = starts.near(asked);
        assert.equal(
          found !== null,
          times.some((time) => near(time, asked)),
        );
        assert.ok(found === null || near(found, asked));
      }),
      { numRuns: cases(5_000) },
    );
  });

  it('of other events', () => {
    const event = fc.record({ eventId: fc.constantFrom('a', 'b', 'c'), time: moment, gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.constantFrom('a', 'b'), moment, (events, asking, asked) => {
        const times = new EventTimes();
        for (const each of events) times.add(each);
        const others = events.filter((each) => each.eventId !== asking && !each.gone && near(each.time, asked));
        assert.equal(times.hasOtherNear(asking, asked), others.length > 0);
      }),
      { numRuns: cases(5_000) },
    );
  });
});
