// How letters are discarded: in several statements, of which each is reported; an interruption, or another command that has taken the lease, ends the
// work between two of them.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { discardDeadLetters } from '../../../ops/dead-letters/discard-dead-letters.ts';

const every = { ids: null, code: null, source: null };

/** Discards 12,000 letters; `after` is called with the number of each statement. */
async function discarded(after: (step: number) => void, held: () => boolean = () => true, interrupted?: AbortSignal) {
  const limits: number[] = [];
  const done: number[] = [];
  let open = 12_000;
  const tools = {
    letters: {
      async discard(_of: unknown, limit: number) {
        limits.push(limit);
        const step = Math.min(open, limit);
        open -= step;
        after(limits.length);
        return step;
      },
    },
    holds: async () => held(),
    interrupted: interrupted ?? new AbortController().signal,
  };
  return { outcome: await discardDeadLetters(tools, every, open, (count) => done.push(count)), limits, done };
}

describe('discarding letters', () => {
  it('takes short statements, and says after each how many are done', async () => {
    const { outcome, limits, done } = await discarded(() => {});
    assert.deepEqual(outcome, { kind: 'done', discarded: 12_000 });
    assert.deepEqual(limits, [5_000, 5_000, 2_000]);
    assert.deepEqual(done, [5_000, 10_000, 12_000]);
  });

  it('ends between two statements when it is interrupted', async () => {
    const interruption = new AbortController();
    const { outcome } = await discarded(
      (step) => (step === 2 ? interruption.abort() : undefined),
      () => true,
      interruption.signal,
    );
    assert.deepEqual(outcome, { kind: 'interrupted', discarded: 10_000 });
  });

  it('ends between two statements when another command has the lease', async () => {
    let held = true;
    const { outcome } = await discarded(
      () => {
        held = false;
      },
      () => held,
    );
    assert.deepEqual(outcome, { kind: 'held-by-another', discarded: 5_000 });
  });
});
