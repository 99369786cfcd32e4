// Freed memory is returned to the system between two pieces of large work, and only after the process has grown by much.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { ownMemory, returningFreed } from '../../../platform/process/freed-memory.ts';

const mebibyte = 1024 * 1024;

/** A process with `mebibytes` MiB, of which `live` are still in use after a collection. */
function memoryOf(mebibytes: number) {
  const memory = {
    mebibytes,
    live: mebibytes,
    collections: 0,
    residentBytes: () => memory.mebibytes * mebibyte,
    collect: () => {
      memory.collections += 1;
      memory.mebibytes = memory.live;
    },
  };
  return memory;
}

describe('freed memory is given back', () => {
  it('when the process has grown by more than 40 MiB since', async () => {
    const memory = memoryOf(100);
    const behind = returningFreed(memory);
    memory.mebibytes = 140;
    await behind(true);
    assert.equal(memory.collections, 0);
    memory.mebibytes = 141;
    await behind(true);
    assert.equal(memory.collections, 1);
    assert.equal(memory.mebibytes, 100);
  });

  it('no oftener where what has grown is in use', async () => {
    const memory = memoryOf(100);
    const behind = returningFreed(memory);
    memory.mebibytes = memory.live = 300;
    for (let round = 0; round < 3; round += 1) await behind(true);
    assert.equal(memory.collections, 1);
    memory.mebibytes = 341;
    await behind(true);
    assert.equal(memory.collections, 2);
  });

  it('above the least that it has had, where V8 has given back by itself', async () => {
    const memory = memoryOf(200);
    const behind = returningFreed(memory);
    memory.mebibytes = 120;
    await behind(true);
    memory.mebibytes = 180;
    await behind(true);
    assert.equal(memory.collections, 1);
  });

  it('only once it has grown by much more, while other keys push', async () => {
    const memory = memoryOf(100);
    const behind = returningFreed(memory);
    memory.mebibytes = 484;
    await behind(false);
    assert.equal(memory.collections, 0);
    memory.mebibytes = 485;
    await behind(false);
    assert.equal(memory.collections, 1);
    memory.mebibytes = 141;
    await behind(true);
    assert.equal(memory.collections, 2);
  });

  it('behind what is due, as answers are', async () => {
    const memory = memoryOf(100);
    const behind = returningFreed(memory);
    memory.mebibytes = 200;
    const done = behind(true);
    await Promise.resolve();
    assert.equal(memory.collections, 0);
    await turn();
    await done;
    assert.equal(memory.collections, 1);
  });

  it('of this process, whose code gets no collector', () => {
    let held: Buffer | null = Buffer.alloc(256 * mebibyte, 1);
    const memory = ownMemory();
    const before = memory.residentBytes();
    held = held.length > 0 ? null : held;
    memory.collect();
    assert.ok(before - memory.residentBytes() > 200 * mebibyte);
    assert.equal(held, null);
    assert.equal(globalThis.gc, undefined);
  });
});
