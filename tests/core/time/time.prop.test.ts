// Claim: times agree with the platform's own calendar wherever both know one, and come back from their texts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { dateOfDays, daysOfDate, formatMicros, nearestMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';

const times = fc.integer({ min: Date.UTC(1700, 0, 1) * 1000, max: Date.UTC(2254, 0, 1) * 1000 });

describe('times', () => {
  it('come back from their texts, which are the platform’s with three digits more', () => {
    fc.assert(
      fc.property(times, (time) => {
        const text = formatMicros(time);
        assert.equal(parseRfc3339(text), time);
        assert.equal(`${text.slice(0, 23)}Z`, new Date(Math.floor(time / 1000)).toISOString());
      }),
      { numRuns: 2_000 },
    );
  });

  it('mean what the platform reads, with any offset', () => {
    const offsets = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
    );
    fc.assert(
      fc.property(times, offsets, (time, [sign, hours, minutes]) => {
        const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const text = `${formatMicros(time).slice(0, 23)}${zone}`;
        assert.equal(parseRfc3339(text), Date.parse(text) * 1000);
      }),
      { numRuns: 2_000 },
    );
  });

  it('have the date that the platform shows in New York', () => {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });
    const recent = fc.integer({ min: Date.UTC(1960, 0, 1) * 1000, max: Date.UTC(2040, 0, 1) * 1000 });
    fc.assert(
      fc.property(recent, (time) => assert.equal(easternDate(time), format.format(Math.floor(time / 1000)))),
      { numRuns: 2_000 },
    );
  });

  // Claim: every day of the years 1 to 9999 can be read, in order. A violation would need arithmetic that rounds across
  // a limit.
  it('of the years 1 to 9999 are readable, and as far as micros go where they go no further', () => {
    const all = fc.integer({
      min: new Date('0001-01-01T00:00:00Z').getTime(),
      max: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    });
    fc.assert(
      fc.property(all, (millis) => {
        const nearest = nearestMicros(new Date(millis).toISOString());
        const exact = BigInt(millis) * 1000n;
        const bound = (2n ** 53n - 1n) * (millis < 0 ? -1n : 1n);
        const isBeyond = exact < -(2n ** 53n) + 1n || exact > 2n ** 53n - 1n;
        assert.equal(nearest, Number(isBeyond ? bound : exact));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a day are counted from the first of 1970 as the platform counts them', () => {
    fc.assert(
      fc.property(times, (time) => {
        const date = formatMicros(time).slice(0, 10);
        const days = daysOfDate(date);
        assert.equal(days, Date.parse(`${date}T00:00:00Z`) / 86_400_000);
        assert.equal(dateOfDays(days), date);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are none in any other text', () => {
    const soup = fc.stringMatching(/^[0-9TZ:.+\- t]{0,30}$/);
    fc.assert(
      fc.property(soup, (text) => {
        const strict = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text);
        if (!strict) assert.equal(parseRfc3339(text), null);
      }),
      { numRuns: 3_000 },
    );
  });
});
