// Claim: no more work runs at once than allowed, and all waiting work runs, in order, even if work before it fails.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { openSemaphore, QueueFull } from '../../../api/dependencies/semaphore.ts';

it('runs up to its limit at once, queues others in order, refuses the rest, and frees the place of a failure', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 4 }),
      fc.array(fc.record({ steps: fc.integer({ min: 0, max: 3 }), fails: fc.boolean() }), { maxLength: 16 }),
      async (atOnce, maxWaiting, works) => {
        const semaphore = openSemaphore({ atOnce, maxWaiting });
        let running = 0;
        const begun: number[] = [];
        const ended = await Promise.allSettled(
          works.map(({ steps, fails }, at) =>
            semaphore(async () => {
              running += 1;
              begun.push(at);
              assert.ok(running <= atOnce);
              for (let step = 0; step < steps; step += 1) await Promise.resolve();
              running -= 1;
              if (fails) throw new Error(`work ${at}`);
              return at;
            }),
          ),
        );
        const admitted = Math.min(works.length, atOnce + maxWaiting);
        assert.deepEqual(
          begun,
          Array.from({ length: admitted }, (_, at) => at),
        );
        for (const [at, outcome] of ended.entries()) {
          if (at >= admitted) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof QueueFull);
          else assert.equal(outcome.status, works[at]?.fails ? 'rejected' : 'fulfilled');
        }
        assert.equal(await semaphore(async () => 'free'), 'free');
      },
    ),
  );
});
