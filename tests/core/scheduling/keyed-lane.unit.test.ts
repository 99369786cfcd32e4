// A lane of turns: one at a time, one key after the other, whether a turn ends at once, later, or more than once.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { KeyedLane } from '../../../core/scheduling/keyed-lane.ts';

it('gives a key one turn before another that waits has had one', () => {
  const lane = new KeyedLane();
  const begun: string[] = [];
  const leaves: (() => void)[] = [];
  for (const name of ['a0', 'a1', 'a2', 'b0', 'c0', 'b1'])
    lane.enter(name.slice(0, 1), (leave) => {
      begun.push(name);
      leaves.push(leave);
    });
  assert.deepEqual(begun, ['a0']);
  for (let at = 0; at < leaves.length; at += 1) leaves[at]?.();
  assert.deepEqual(begun, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1']);
});

it('ends a turn once, however often it is left', () => {
  const lane = new KeyedLane();
  const begun: string[] = [];
  let leaveFirst = (): void => {};
  lane.enter('a', (leave) => {
    leaveFirst = leave;
  });
  for (const name of ['b', 'c']) lane.enter(name, () => begun.push(name));
  leaveFirst();
  leaveFirst();
  assert.deepEqual(begun, ['b'], 'the second turn is still running');
});

it('takes as many turns that end at once as there are', () => {
  const lane = new KeyedLane();
  let open = (): void => {};
  let taken = 0;
  lane.enter('a', (leave) => {
    open = leave;
  });
  for (let at = 0; at < 100_000; at += 1)
    lane.enter(`k${at % 7}`, (leave) => {
      taken += 1;
      leave();
    });
  open();
  assert.equal(taken, 100_000);
});

// Claim: at most one turn runs at a time, each entered turn runs, and those of one key run in order, however they end
// and whichever keys enter in between. A violation would need a turn that is forgotten when another ends within it.
it('has one turn at a time, and forgets none', () => {
  const acts = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), endsAtOnce: fc.boolean(), enters: fc.nat(2) }),
  );
  fc.assert(
    fc.property(acts, (asked) => {
      const lane = new KeyedLane();
      const order: number[] = [];
      const entered: string[] = [];
      const toLeave: (() => void)[] = [];
      let underWay = 0;
      const enter = (key: string, endsAtOnce: boolean, enters: number): void => {
        const mine = entered.push(key) - 1;
        lane.enter(key, (leave) => {
          underWay += 1;
          assert.equal(underWay, 1);
          order.push(mine);
          for (let more = 0; more < enters; more += 1) enter(key, true, 0);
          const end = (): void => {
            underWay -= 1;
            leave();
          };
          if (endsAtOnce) end();
          else toLeave.push(end);
        });
      };
      for (const { key, endsAtOnce, enters } of asked) enter(key, endsAtOnce, enters);
      for (let end = toLeave.shift(); end !== undefined; end = toLeave.shift()) end();
      assert.equal(order.length, entered.length);
      for (const key of ['a', 'b', 'c']) {
        const ofKey = order.filter((at) => entered[at] === key);
        assert.deepEqual(
          ofKey,
          [...ofKey].sort((one, other) => one - other),
        );
      }
    }),
  );
});
