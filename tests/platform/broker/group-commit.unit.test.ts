// Concurrent appends to a log given in the test: which share a flush, in which order, and which callers get a failure.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BrokerUnavailable } from '../../../core/ports/broker.ts';
import { type GroupCommit, openGroupCommit } from '../../../platform/broker/group-commit.ts';
import { sleep } from '../../../platform/process/clock.ts';

type Item = { n: number; partition?: number; size?: number };

function items(...numbers: number[]): Item[] {
  return numbers.map((n) => ({ n }));
}

/** A log whose flushes end when the test says so. */
function openLog(options: { patienceMs?: number } = {}) {
  const flushes: { numbers: number[]; done: PromiseWithResolvers<void> }[] = [];
  const commits: GroupCommit<Item> = openGroupCommit<Item>({
    flush(flushed) {
      const done = Promise.withResolvers<void>();
      flushes.push({ numbers: flushed.map((item) => item.n), done });
      return done.promise.then(() => new Map(flushed.map((item) => [item.partition ?? 0, item.n + 1])));
    },
    sizeOf: (item) => item.size ?? 1,
    partitionOf: (item) => item.partition ?? 0,
    maxPartitionBytes: 10,
    maxItems: 20,
    patienceMs: options.patienceMs ?? 60_000,
  });
  return { flushes, commits, tick: () => sleep(1) };
}

describe('group commit', () => {
  it('sends what comes during a flush with the next one, in order', async () => {
    const { flushes, commits, tick } = openLog();
    const calls = [commits.append(items(1, 2))];
    await tick();
    calls.push(commits.append(items(3)), commits.append(items(4, 5)));
    await tick();
    assert.deepEqual(
      flushes.map((flush) => flush.numbers),
      [[1, 2]],
    );
    flushes[0]?.done.resolve();
    await calls[0];
    await tick();
    assert.deepEqual(flushes[1]?.numbers, [3, 4, 5]);
    flushes[1]?.done.resolve();
    await Promise.all(calls);
    const later = commits.append(items(6));
    await tick();
    flushes[2]?.done.resolve();
    await later;
  });

  it('takes a call in parts when it is larger than a flush, and resolves it with the last', async () => {
    const { flushes, commits, tick } = openLog();
    const large = commits.append(items(...Array.from({ length: 25 }, (_, n) => n)));
    let done = false;
    void large.then(() => {
      done = true;
    });
    for (const [index, count] of [10, 10, 5].entries()) {
      await tick();
      assert.equal(flushes[index]?.numbers.length, count);
      assert.equal(done, false);
      flushes[index]?.done.resolve();
    }
    await large;
  });

  it('answers behind which offsets the last flush of each partition left a call that was taken in parts', async () => {
    const { flushes, commits, tick } = openLog();
    const call = commits.append([
      { n: 1, size: 9, partition: 1 },
      { n: 2, size: 9 },
      { n: 3, size: 9 },
    ]);
    const behind = commits.append(items(4));
    for (const index of [0, 1]) {
      await tick();
      flushes[index]?.done.resolve();
    }
    // The last flush also took items of the later call: they count as well.
    assert.deepEqual(
      await call,
      new Map([
        [1, 2],
        [0, 5],
      ]),
    );
    assert.deepEqual(await behind, new Map([[0, 5]]));
  });

  it('counts bytes per partition, and sends an item alone that is larger than the limit', async () => {
    const { flushes, commits, tick } = openLog();
    const call = commits.append([
      { n: 1, size: 9 },
      { n: 2, size: 9, partition: 1 },
      { n: 3, size: 99, partition: 2 },
      { n: 4, size: 2, partition: 2 },
    ]);
    await tick();
    assert.deepEqual(flushes[0]?.numbers, [1, 2, 3]);
    flushes[0]?.done.resolve();
    await tick();
    flushes[1]?.done.resolve();
    await call;
  });

  it('fails all that waits when a flush fails, and goes on with what comes after', async () => {
    const { flushes, commits, tick } = openLog();
    const first = commits.append(items(...Array.from({ length: 15 }, (_, n) => n)));
    const second = commits.append(items(99));
    await tick();
    flushes[0]?.done.reject(new BrokerUnavailable('away'));
    for (const call of await Promise.allSettled([first, second])) {
      assert.ok(call.status === 'rejected' && call.reason instanceof BrokerUnavailable);
    }
    const third = commits.append(items(100));
    await tick();
    assert.deepEqual(flushes[1]?.numbers, [100]);
    flushes[1]?.done.resolve();
    await third;
  });

  it('tells callers of a log that does not answer, and lets nothing pass the flush that hangs', async () => {
    const { flushes, commits, tick } = openLog({ patienceMs: 20 });
    const calls = [commits.append(items(1)), commits.append(items(2))];
    for (const call of await Promise.allSettled(calls)) assert.equal(call.status, 'rejected');
    await assert.rejects(commits.append(items(3)), BrokerUnavailable);
    assert.equal(flushes.length, 1);
    flushes[0]?.done.resolve();
    await tick();
    const later = commits.append(items(4));
    await tick();
    assert.deepEqual(flushes[1]?.numbers, [4]);
    flushes[1]?.done.resolve();
    await later;
  });

  it('closes after the flush under way, and takes nothing more', async () => {
    const { flushes, commits, tick } = openLog();
    const call = commits.append(items(1));
    await tick();
    const closing = commits.close();
    await assert.rejects(commits.append(items(2)), BrokerUnavailable);
    flushes[0]?.done.resolve();
    await Promise.all([call, closing]);
  });
});
