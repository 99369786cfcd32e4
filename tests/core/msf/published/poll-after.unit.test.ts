// When a reader should ask again: docs/interface.md#poll-hint, by status and by the clock that is given.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { pollAfter } from '../../../../core/msf/published/poll-after.ts';
import type { Micros } from '../../../../core/units.ts';
import { microsPerHour } from '../../../../core/units.ts';

/** 2026-08-05T20:00:00Z: four in the afternoon in New York. */
const noon: Micros = Date.UTC(2026, 7, 5, 20) * 1_000;
const start: Micros = noon + 3 * microsPerHour;

type Game = NonNullable<Parameters<typeof pollAfter>[0]>;
const scheduled: Game = {
  status: 'SCHEDULED',
  fromSchedule: true,
  scheduledStart: start,
  logTime: null,
  gameDate: '2026-08-05',
  settled: false,
};

const cases: [string, Partial<Game>, hours: number, seconds: number][] = [
  ['live', { status: 'STARTED' }, 3.5, 5],
  ['live past midnight', { status: 'STARTED' }, 9, 5],
  ['live by its odds alone', { fromSchedule: false, logTime: start }, 3, 5],
  ['an hour before the start', {}, 2, 30],
  ['an hour behind a start that was not seen', { status: 'DELAYED' }, 4, 30],
  ['more than an hour before the start', {}, 1.99, 300],
  ['more than an hour behind a start that was not seen', {}, 4.01, 300],
  ['over, within an hour of its start', { status: 'CANCELLED' }, 3, 300],
  ['over, on its day', { status: 'COMPLETED' }, 6, 300],
  ['interrupted, on its day', { status: 'SUSPENDED' }, 3.5, 300],
  ['to be played tomorrow', {}, -17, 3_600],
  ['over, a minute past midnight in New York', { status: 'COMPLETED' }, 8.02, 3_600],
  ['postponed to later this day', { status: 'POSTPONED' }, 0, 300],
  ['postponed, to be played within the hour', { status: 'POSTPONED' }, 2.5, 30],
  ['postponed to another day', { status: 'POSTPONED' }, -17, 3_600],
];

for (const [name, facts, hours, seconds] of cases) {
  it(`of a game that is ${name} is ${seconds}`, () =>
    assert.equal(pollAfter({ ...scheduled, ...facts }, noon + hours * microsPerHour), seconds));
}

it('is 3600 where there is no game', () => assert.equal(pollAfter(null, noon), 3_600));
