// Which keys are active, beside a list of all that was noted, which is looked through each time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ActiveKeys } from '../../../core/scheduling/active-keys.ts';

const lasting = 10;
const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), after: fc.nat(12), notes: fc.boolean() }));

describe('a key is alone', () => {
  it('when no other has been active for as long as activity lasts', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const active = new ActiveKeys(lasting);
        const noted: { key: string; at: number }[] = [];
        let now = 0;
        for (const { key, after, notes } of taken) {
          now += after;
          if (notes) {
            active.note(key, now);
            noted.push({ key, at: now });
          }
          const keys = new Set(noted.filter(({ at }) => now - at <= lasting).map((each) => each.key));
          assert.equal(active.isAlone(now), keys.size < 2);
          keys.delete(key);
          assert.equal(active.isOnly(key, now), keys.size === 0);
        }
      }),
    );
  });
});
