// Queries as the parameters of a route: docs/interface.md#routes (unknown parameters); docs/interface.md#problem-types.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readQuery } from '../../../api/http/query.ts';
import {
  dateParameter,
  leagueParameter,
  limitParameter,
  liveCursorParameter,
  rowsParameter,
  teamParameter,
} from '../../../schemas/http/parameters.ts';

const shape = {
  rows: rowsParameter.optional(),
  cursor: liveCursorParameter.optional(),
  league: leagueParameter.optional(),
  limit: limitParameter.optional(),
  date: dateParameter.optional(),
  team: teamParameter.optional(),
};

describe('a query that is accepted', () => {
  const table: [string, Partial<Record<keyof typeof shape, unknown>>][] = [
    ['', {}],
    ['&', {}],
    ['rows=1', { rows: '1' }],
    ['rows=000000000000001', { rows: '000000000000001' }],
    ['cursor=0:0', { cursor: '0:0' }],
    ['cursor=1%3A42&rows=7', { cursor: '1:42', rows: '7' }],
    ['league=nBa', { league: 'NBA' }],
    ['limit=10000', { limit: 10_000 }],
    ['limit=0001', { limit: 1 }],
    ['date=2028-02-29', { date: '2028-02-29' }],
    ['team=Boston+Red%20Sox', { team: 'Boston Red Sox' }],
    ['team=a%26b%3Dc', { team: 'a&b=c' }],
    ['te%61m=x', { team: 'x' }],
  ];
  for (const [query, values] of table) {
    it(query, () => {
      const reading = readQuery(query, shape);
      assert.ok(reading.ok, JSON.stringify(reading));
      assert.deepEqual(JSON.parse(JSON.stringify(reading.values)), values);
    });
  }
});

describe('a refused query, and its message', () => {
  const table: [string, RegExp][] = [
    ['row=1', /unknown parameter 'row'/],
    ['rows', /rows must be an integer/],
    ['rows=', /rows must be an integer/],
    ['rows=0', /rows must be an integer of at least 1/],
    ['rows=-1', /rows/],
    ['rows=1.0', /rows/],
    ['rows=1e3', /rows/],
    ['rows=%201', /rows/],
    ['rows=+1', /rows/],
    ['rows=1000000000000000', /rows must have at most 15 digits/],
    ['rows=%D9%A1', /rows/],
    ['cursor=1', /cursor must have the form/],
    ['cursor=1:2:3', /cursor/],
    ['cursor=-1:0', /cursor/],
    ['cursor=1:1000000000000000', /cursor/],
    ['cursor=1%3a2%00', /cursor/],
    ['league=XFL', /league must be one of MLB/],
    ['league=', /league must be one of/],
    ['league=ml%C5%BF', /league/],
    ['limit=0', /limit must be an integer from 1 to 10000/],
    ['limit=10001', /limit/],
    ['limit=99999999999999999999', /limit/],
    ['date=2026-02-29', /date must be a day of the calendar/],
    ['date=2026-2-9', /date must be a date/],
    ['date=2026-13-01', /date/],
    ['team=', /team must not be empty/],
  ];
  for (const [query, detail] of table) {
    it(JSON.stringify(query.slice(0, 40)), () => {
      const reading = readQuery(query, shape);
      assert.ok(!reading.ok);
      assert.match(reading.detail, detail);
    });
  }
});
