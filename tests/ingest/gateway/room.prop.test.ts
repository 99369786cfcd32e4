// Claims: the room never exceeds its size; no key has more than half of it; a key that has less than its part is never refused because of
// bodies of others that are still arriving. A violation would need a place that is counted twice, or one that was released and is still
// counted.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isRefusal } from '../../../http/refusal.ts';
import type { GatewayRefusal } from '../../../ingest/gateway/gateway-refusal.ts';
import { type HeldRoom, Room } from '../../../ingest/gateway/room.ts';

const limits = { pushes: 12, bytes: 1_200 };
const largest = 300;

type Push = { key: string; place: HeldRoom; bytes: number; gone: boolean };

const steps = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    kind: fc.constantFrom('enter', 'grow', 'grow', 'grow', 'leave'),
    which: fc.nat(20),
    bytes: fc.integer({ min: 1, max: largest }),
  }),
  { maxLength: 200 },
);

describe('the room of the gateway', () => {
  it('is shared fairly between all keys', () => {
    fc.assert(
      fc.property(steps, (asked) => {
        const room = new Room(limits);
        const pushes: Push[] = [];
        const there = (key?: string): Push[] => pushes.filter((each) => !each.gone && (key ?? each.key) === each.key);
        const sum = (of: readonly Push[]): number => of.reduce((bytes, each) => bytes + each.bytes, 0);
        const admits = (key: string, work: () => GatewayRefusal | null): boolean => {
          const [mine, least] = [{ pushes: there(key).length, bytes: sum(there(key)) }, 1 / 5];
          const refusal = work();
          if (refusal === null) return true;
          assert.equal(refusal.refused, 'rate-limited');
          // Five keys, each with less than a fifth after this: so another key has more.
          const poor = mine.pushes + 1 <= limits.pushes * least && mine.bytes + largest <= limits.bytes * least;
          assert.ok(!poor, `${key} was refused with ${mine.pushes} pushes and ${mine.bytes} bytes`);
          return false;
        };
        for (const { key, kind, which, bytes } of asked) {
          const mine = there(key);
          const push = mine[which % Math.max(1, mine.length)];
          if (kind === 'enter')
            admits(key, () => {
              const place = room.enter(key);
              if (isRefusal(place)) return place;
              const entered: Push = { key, place, bytes: 0, gone: false };
              entered.place.mayGiveWay(() => {
                entered.gone = true;
              });
              pushes.push(entered);
              return null;
            });
          else if (push !== undefined && kind === 'grow') {
            const size = Math.min(largest, push.bytes + bytes);
            if (admits(key, () => push.place.hold(size))) push.bytes = size;
            else {
              push.gone = true;
              push.place.leave();
            }
          } else if (push !== undefined) {
            push.gone = true;
            push.place.leave();
          }
          assert.ok(there().length <= limits.pushes && sum(there()) <= limits.bytes);
          for (const name of ['a', 'b', 'c', 'd', 'e'])
            assert.ok(there(name).length <= limits.pushes / 2 && sum(there(name)) <= limits.bytes / 2, name);
        }
        for (const { place } of there()) place.leave();
        // All room is free again: half of it for one key.
        const again = Array.from({ length: limits.pushes / 2 }, () => room.enter('a'));
        for (const place of again) {
          assert.ok(!isRefusal(place));
          assert.equal(place.hold(limits.bytes / limits.pushes), null);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes as many bodies that one key uploads side by side as it has room for, and refuses no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), fc.integer({ min: 1, max: 6 }), (size, count) => {
        const room = new Room(limits);
        const left = new Set(
          Array.from({ length: count }, () => room.enter('a')).filter((place): place is HeldRoom => !isRefusal(place)),
        );
        const refused: HeldRoom[] = [];
        for (let bytes = 1; bytes <= size; bytes += 1)
          for (const place of left)
            if (place.hold(bytes) !== null) {
              // It leaves only once its refusal is on its way.
              left.delete(place);
              refused.push(place);
            }
        assert.equal(left.size, Math.min(count, Math.floor(limits.bytes / 2 / size)));
        for (const place of refused) place.leave();
      }),
    );
  });
});
