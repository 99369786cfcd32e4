// What the readers of a process find in memory, beside a log that other processes append to as well.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { StoredBatch } from '../../../platform/embedded-log/log-table.ts';
import { RecentRows } from '../../../platform/embedded-log/recent-rows.ts';

const partitions = 2;
const append = fc.record({
  isOwn: fc.boolean(),
  partition: fc.nat({ max: partitions - 1 }),
  records: fc.integer({ min: 1, max: 700 }),
  bytes: fc.constantFrom(10, 100_000, 300_000),
});

it('begins with the row of the offset, leaves none out, and ends where this process has last appended', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(append, { maxLength: 30 }), fc.nat(), (appends, at) => {
      const recent = new RecentRows();
      const logs: StoredBatch[][] = Array.from({ length: partitions }, () => []);
      const endOf = (log: readonly StoredBatch[]) => (log.at(-1)?.firstOffset ?? 0) + (log.at(-1)?.records ?? 0);
      const ends = [0, 0];
      for (const { isOwn, partition, records, bytes } of appends) {
        const log = logs[partition] as StoredBatch[];
        const row = { firstOffset: endOf(log), records, at: log.length, bytes: Buffer.alloc(bytes) };
        log.push(row);
        if (!isOwn) continue;
        recent.add(partition, row);
        ends[partition] = endOf(log);
      }
      for (const [partition, log] of logs.entries()) {
        const offset = at % (endOf(log) + 1);
        const read = recent.from(partition, offset);
        if (read === null) continue;
        found += 1;
        const first = log.findIndex(({ firstOffset, records }) => offset < firstOffset + records);
        assert.deepEqual(read.rows, log.slice(first, first + read.rows.length));
        assert.equal(read.end, ends[partition]);
        const rest = log.slice(first).filter(({ firstOffset }) => firstOffset < read.end);
        const [records, last] = [
          (rows: StoredBatch[]) => rows.reduce((sum, row) => sum + row.records, 0),
          read.rows.at(-1),
        ];
        assert.ok(read.rows.length === rest.length || records(read.rows) >= 1_000, 'fewer rows than one read returns');
        assert.ok(records(read.rows) - (last?.records ?? 0) < 1_000, 'more rows than one read returns');
        assert.ok(rest.reduce((sum, { bytes }) => sum + bytes.length, 0) <= 256 * 1024, 'more bytes than are kept');
      }
    }),
  );
  assert.ok(found > 20, `only ${found} reads found their row`);
});

it('finds what was just appended, and nothing behind it', () => {
  const recent = new RecentRows();
  const row = (firstOffset: number) => ({ firstOffset, records: 2, at: 0, bytes: Buffer.from('row') });
  for (const firstOffset of [4, 6, 10]) recent.add(0, row(firstOffset));
  assert.equal(recent.from(0, 7), null);
  assert.deepEqual(recent.from(0, 11), { end: 12, rows: [row(10)] });
  assert.equal(recent.from(0, 12), null);
  assert.equal(recent.from(1, 11), null);
});
