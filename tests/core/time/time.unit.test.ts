import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { formatMicros, nearestMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';

const micros = (text: string) => parseRfc3339(text) as number;

describe('RFC 3339', () => {
  const same: readonly [text: string, time: string][] = [
    ['2025-11-17T01:20:00Z', '2025-11-17T01:20:00.000000Z'],
    ['2025-11-17t01:20:00z', '2025-11-17T01:20:00.000000Z'],
    ['2025-11-16T15:00:00.1234567-05:00', '2025-11-16T20:00:00.123456Z'],
    ['2025-11-16T15:00:00.12345699999999999999999999-05:00', '2025-11-16T20:00:00.123456Z'],
    ['2025-11-16T20:00:00.1Z', '2025-11-16T20:00:00.100000Z'],
    ['2025-11-17T01:20:00+05:45', '2025-11-16T19:35:00.000000Z'],
    ['2025-11-17T01:20:00-00:00', '2025-11-17T01:20:00.000000Z'],
    ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T18:59:60.25-05:00', '2017-01-01T00:00:00.250000Z'],
    ['1700-01-01T00:00:00Z', '1700-01-01T00:00:00.000000Z'],
    ['2255-01-01T00:00:00Z', '2255-01-01T00:00:00.000000Z'],
  ];
  for (const [text, time] of same) it(text, () => assert.equal(formatMicros(micros(text)), time));

  const none = [
    '',
    '2025-11-16',
    '2025-11-16T20:00:00',
    '2025-11-16 20:00:00Z',
    '2025-11-16T20:00Z',
    '2025-11-16T20:00:00.Z',
    '2025-11-16T20:00:00,5Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2025-04-31T00:00:00Z',
    '2025-00-10T00:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-01-00T00:00:00Z',
    '2025-11-16T24:00:00Z',
    '2025-11-16T20:60:00Z',
    '2025-11-16T20:00:61Z',
    '2025-11-16T20:00:60Z',
    '2016-12-31T23:59:60+01:00',
    '2025-11-16T20:00:00+24:00',
    '2025-11-16T20:00:00+05:60',
    '2025-11-16T20:00:00+0500',
    '2025-11-16T20:00:00+5:00',
    '2025-11-16T20:00:00Z ',
    ' 2025-11-16T20:00:00Z',
    '2025-11-16T20:00:00ZZ',
    '20251116T200000Z',
    '+2025-11-16T20:00:00Z',
    '2025-11-16T20:00:00UTC',
    '2025/11/16T20:00:00Z',
    '2025-11-16T２0:00:00Z',
    '0000-12-31T23:59:59Z',
    '10000-01-01T00:00:00Z',
    `2025-11-16T20:00:00.${'1'.repeat(200)}Z`,
  ];
  for (const text of none)
    it(`not ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(parseRfc3339(text), null);
      assert.equal(nearestMicros(text), null);
    });

  const beyond: readonly [text: string, nearest: number][] = [
    ['0001-01-01T00:00:00Z', Number.MIN_SAFE_INTEGER],
    ['0001-01-01T00:00:00+23:59', Number.MIN_SAFE_INTEGER],
    ['1600-02-29T00:00:00.5Z', Number.MIN_SAFE_INTEGER],
    ['1684-07-28T00:12:25.259008Z', Number.MIN_SAFE_INTEGER],
    ['2255-06-05T23:47:34.740992Z', Number.MAX_SAFE_INTEGER],
    ['2256-01-01T00:00:00Z', Number.MAX_SAFE_INTEGER],
    ['9999-12-31T23:59:59.999999Z', Number.MAX_SAFE_INTEGER],
    ['9999-12-31T23:59:60-00:00', Number.MAX_SAFE_INTEGER],
  ];
  for (const [text, nearest] of beyond)
    it(`${text}, which micros cannot say, is as far as they go`, () => {
      assert.equal(parseRfc3339(text), null);
      assert.equal(nearestMicros(text), nearest);
    });

  it('has micros up to the last that is safe', () => {
    assert.equal(micros('1684-07-28T00:12:25.259009Z'), Number.MIN_SAFE_INTEGER);
    assert.equal(micros('2255-06-05T23:47:34.740991Z'), Number.MAX_SAFE_INTEGER);
    assert.equal(nearestMicros('2025-11-17T01:20:00Z'), micros('2025-11-17T01:20:00Z'));
  });
});

describe('the Eastern date', () => {
  const dates: readonly [time: string, date: string][] = [
    ['2025-11-17T01:20:00Z', '2025-11-16'],
    ['2025-11-17T04:59:59.999999Z', '2025-11-16'],
    ['2025-11-17T05:00:00Z', '2025-11-17'],
    ['2026-07-05T03:59:59Z', '2026-07-04'],
    ['2026-07-05T04:00:00Z', '2026-07-05'],
    ['2026-03-08T04:59:59Z', '2026-03-07'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-11-01T04:30:00Z', '2026-11-01'],
    ['2026-11-02T04:59:59Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
    ['1870-01-01T04:56:01Z', '1869-12-31'],
    ['1870-01-01T04:56:02Z', '1870-01-01'],
  ];
  for (const [time, date] of dates) {
    it(`${time} is on ${date}`, () => {
      assert.equal(easternDate(micros(time)), date);
      assert.equal(easternDate(micros(time)), date, 'a second time, from the cache');
    });
  }
});
