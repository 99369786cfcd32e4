// Random partitions of a game in the form of the settlement vectors. Names are few, times are coarse or a microsecond
// before and after a limit, so that rare events (a withdrawal a quarter of an hour before play, a start that moves
// back) are common.
import fc from 'fast-check';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import type { LogGiven } from '../folds/closed-log.ts';
import type { VectorRecord } from '../folds/settlement-log.ts';

/** 2026-01-10T18:00:00Z. */
const firstHour = Date.UTC(2026, 0, 10, 18) * 1_000;
const minute = 60_000_000;

const near = fc.constantFrom(0, 0, 0, 0, -1, 1);

/** A time some quarters of an hour after `after` minutes, exactly or a microsecond off. */
function around(after: number, quarters: readonly number[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...quarters), near)
    .map(([quarter, beside]) => formatMicros(firstHour + (after + quarter * 15) * minute + beside));
}

/** Usually nothing, sometimes a value. */
function sometimes<Value>(arbitrary: fc.Arbitrary<Value>) {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const selection = fc.constantFrom(
  'moneyline/full/home',
  'spread/full/home',
  'x_a/full/～',
  'x_a/full/\u{1F3C8}',
  'player_points/full/over/Ann Lee',
);
const row = fc.tuple(
  fc.constantFrom('X', 'Y'),
  selection,
  fc.constantFrom(null, -3.5, 2.25, 0),
  fc.constantFrom(-110, 100, 255, -105, 12_345),
  fc.constantFrom('open', 'open', 'open', 'suspended', 'withdrawn'),
  fc.constantFrom(undefined, null, 'p1', 'p2'),
) as fc.Arbitrary<NonNullable<VectorRecord['rows']>[number]>;

function recordAfter(after: number): fc.Arbitrary<VectorRecord> {
  const observation = fc.record(
    {
      time: around(after, [0, 0, 0, 0, -1, -4]),
      rows: fc.array(row, { maxLength: 5 }),
      source: fc.constantFrom('feed', 'feed', 'second'),
      start: sometimes(around(after, [0, 1, 2, 4])),
      told_in_play: sometimes(fc.boolean()),
      in_play: sometimes(fc.constant(true)),
    },
    { requiredKeys: ['time'] },
  );
  const status = fc.constantFrom('DELAYED', 'SUSPENDED', 'POSTPONED', 'COMPLETED', 'CANCELLED', 'STARTED', 'STARTED');
  return fc.oneof(
    { weight: 16, arbitrary: observation },
    { weight: 2, arbitrary: fc.record({ status, at: around(after, [0, -1, -2, -4]) }) },
    { weight: 2, arbitrary: around(after, [0, 0, 1]).map((tick) => ({ tick })) },
    { weight: 1, arbitrary: around(after, [0, 1, 2]).map((schedule) => ({ schedule })) },
  );
}

const slots = fc.array(
  fc.tuple(fc.constantFrom('Starter1', 'Starter10', 'starter2', 'Bench1', 'bEnch2', '～'), fc.option(fc.nat(5))),
  { maxLength: 5 },
);
const side = fc.record({ actual: slots, expected: slots }, { requiredKeys: [] });

const firstRecord: fc.Arbitrary<VectorRecord> = around(0, [2, 4, 8]).chain((start) =>
  fc.constantFrom<VectorRecord>({ schedule: start }, { time: formatMicros(firstHour), start }),
);

type Sign = 'status' | 'flag' | 'none';

/** A log whose first record has a start, as every game's does. It has signs of play of one kind, or none. */
export const settlementLogs: fc.Arbitrary<LogGiven> = fc
  .array(fc.constantFrom(0, 0, 5, 10, 15, 30), { minLength: 1, maxLength: 30, size: 'max' })
  .chain((gaps) => {
    let after = 0;
    const records = gaps.map((gap) => {
      after += gap;
      return recordAfter(after);
    });
    return fc.record({
      first: firstRecord,
      records: fc.tuple(...records),
      sign: fc.constantFrom<Sign>('status', 'status', 'flag', 'flag', 'none'),
      started: around(after / 2, [0, 1, 2]),
      ending: fc.constantFrom<VectorRecord[]>([], [], [{ settle: true }, { time: formatMicros(firstHour) }]),
    });
  })
  .chain(({ first, records, sign, started, ending }) => {
    const all = [first, ...records, ...ending].filter(({ status }) => sign === 'status' || status !== 'STARTED');
    const said = sign !== 'none' ? all : all.map((record) => ({ ...record, told_in_play: undefined }));
    const start: VectorRecord[] = sign === 'status' ? [{ status: 'STARTED', at: started }] : [];
    return fc.record({
      records: fc.nat(said.length).map((at) => [...said.slice(0, at), ...start, ...said.slice(at)]),
      lineup: fc.record({ home: side, away: side }),
    });
  });
