// What a projector tells of an order that it carries out: nothing of one that is done within two seconds, otherwise at most every two seconds how many
// records are folded; the work itself neither waits for that nor fails with it (docs/operations.md#rebuilding-logs).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { RebuildProgress } from '../../../core/ports/catalog/rebuilds.ts';
import { tellRebuild } from '../../../projectors/worker/tell-rebuild.ts';

/** Folds ten batches of five records, from offset 100 on, each in so many seconds. */
async function told(secondsOfBatch: number, answers: () => Promise<void> = async () => {}) {
  let seconds = 0;
  const said: RebuildProgress[] = [];
  const rebuilds = {
    tellProgress: (progress: RebuildProgress) => {
      said.push(progress);
      return answers();
    },
  };
  async function* batches() {
    for (let first = 100; first < 150; first += 5) yield [0, 1, 2, 3, 4].map((place) => ({ offset: first + place }));
  }
  let folded = 0;
  const tools = { clock: { now: () => seconds * 1_000_000 }, rebuilds };
  for await (const batch of tellRebuild(tools, 'game', { from: 100, to: 150 }, batches())) {
    folded += batch.length;
    seconds += secondsOfBatch;
  }
  assert.equal(folded, 50);
  return said;
}

describe('the progress of an order to rebuild a log', () => {
  it('is not told of what is done within two seconds', async () => {
    assert.deepEqual(await told(0.19), []);
  });

  it('is told every two seconds, with the records that are folded by then', async () => {
    assert.deepEqual(
      (await told(1)).map(({ key, read, all, took }) => [key, read, all, took / 1_000_000]),
      [2, 4, 6, 8, 10].map((seconds) => ['game', seconds * 5, 50, seconds]),
    );
    assert.equal((await told(7)).length, 10);
  });

  it('does not hold up or end the work when it cannot be told', async () => {
    assert.equal((await told(1, () => Promise.reject(new Error('no catalog')))).length, 5);
    assert.equal((await told(1, () => new Promise(() => {}))).length, 5);
  });
});
