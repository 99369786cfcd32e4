// Which records a log must still hold for a rebuild, and how it is read while its broker is unreachable now and then.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BrokerUnavailable, type DeliveredRecord } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Micros } from '../../../core/units.ts';
import { clockSlack, keptRecords, type LogReader, wholeSince } from '../../../projectors/worker/kept-log.ts';

/** Partition 0 holds [low, …), records appended at `times`. */
function log(low: number, times: readonly Micros[], fails: () => boolean = () => false) {
  const high = low + times.length;
  const records = times.map((timestamp, index): DeliveredRecord => {
    const offset = low + index;
    return { offset, timestamp, key: 'k', headers: {}, value: null, bytes: new Uint8Array(), undecodable: null };
  });
  const reads: number[] = [];
  const reader: LogReader = {
    watermarks: async () => [{ partition: 0, low, high }],
    async offsetAt(_topic, _partition, time) {
      return records.find(({ timestamp }) => timestamp >= time)?.offset ?? high;
    },
    async *read(topic, partition, from, to) {
      reads.push(from);
      for (const record of records.filter(({ offset }) => offset >= from && offset < to)) {
        if (fails()) throw new BrokerUnavailable('planned');
        yield { topic, partition, records: [record], highWatermark: high };
      }
    },
  };
  return { reader, reads };
}

const minute = clockSlack;

describe('a log that holds all records since a time', () => {
  const whole = (low: number, times: readonly Micros[], since: Micros | null, partition = 0) =>
    wholeSince(log(low, times).reader, 't', partition, since);

  it('is one of which nothing is deleted', async () => {
    assert.equal(await whole(0, [5 * minute, 6 * minute], 0), 0);
    assert.equal(await whole(0, [], null), 0);
    assert.equal(await whole(0, [5 * minute, 9 * minute], 8 * minute), 1);
  });

  it('is one that holds an older record, by more than clocks may differ', async () => {
    assert.equal(await whole(7, [2 * minute - 1, 4 * minute], 3 * minute), 8);
    assert.equal(await whole(7, [2 * minute, 4 * minute], 3 * minute), null);
    assert.equal(await whole(7, [9 * minute], 3 * minute), null);
  });

  it('is no other', async () => {
    assert.equal(await whole(7, [minute], null), null, 'the time is unknown');
    assert.equal(await whole(7, [], 3 * minute), null, 'all is deleted');
    assert.equal(await whole(0, [minute], 3 * minute, 1), null, 'there is no such partition');
  });
});

describe('reading what is kept', () => {
  const tools = { clock: { now: () => 0, sleep: async () => {} }, log: silentLog };

  it('goes on where it was when the broker was away', async () => {
    let calls = 0;
    const { reader, reads } = log(3, [1, 2, 3, 4, 5, 6], () => {
      calls += 1;
      return calls % 3 === 0;
    });
    const offsets: number[] = [];
    for await (const batch of keptRecords(tools, reader, 't', 0, 4, 8))
      offsets.push(...batch.map(({ offset }) => offset));
    assert.deepEqual(offsets, [4, 5, 6, 7]);
    assert.deepEqual(reads, [4, 6]);
  });

  it('reads the next batch while the one before is worked on, and no more once its reader has left', async () => {
    let asked = 0;
    const { reader } = log(0, [1, 2, 3, 4], () => {
      asked += 1;
      return false;
    });
    for await (const [record] of keptRecords(tools, reader, 't', 0, 0, 4)) {
      await new Promise(setImmediate);
      assert.equal(asked, (record?.offset ?? 0) + 2);
      if (record?.offset === 1) break;
    }
    await new Promise(setImmediate);
    assert.equal(asked, 3);
  });

  it('throws what is no outage, and reads nothing of an empty range', async () => {
    const { reader, reads } = log(0, [1]);
    for await (const _ of keptRecords(tools, reader, 't', 0, 1, 1)) assert.fail();
    assert.deepEqual(reads, []);
    const broken: Pick<LogReader, 'read'> = {
      // biome-ignore lint/correctness/useYield: it fails before the first batch
      async *read() {
        throw new RangeError('broken');
      },
    };
    await assert.rejects(async () => {
      for await (const _ of keptRecords(tools, broken, 't', 0, 0, 1)) assert.fail();
    }, RangeError);
  });
});
