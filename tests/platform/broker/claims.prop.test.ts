// Members of a group read the table of claims one after another, in any order, and join and die in between.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { planClaims, shareOut } from '../../../platform/broker/claims.ts';

type Table = { members: string[]; holders: (string | null)[] };

/**
 * One member reads the table and gives up partitions, which are free at once, as if its handlers had ended. Answers how
 * many changed.
 */
function look(table: Table, me: string): number {
  const view = { partitions: table.holders.length, members: table.members, holders: table.holders };
  const { take, giveUp } = planClaims(view, me);
  for (const partition of giveUp) {
    assert.equal(table.holders[partition], me, 'gave up what was not its own');
    table.holders[partition] = null;
  }
  for (const partition of take) {
    const holder = table.holders[partition] ?? null;
    assert.ok(holder === null || !table.members.includes(holder), 'took what a living member has');
    table.holders[partition] = me;
  }
  return take.length + giveUp.length;
}

function comeToRest(table: Table, order: readonly number[]): void {
  for (const index of order) look(table, table.members[index % table.members.length] as string);
  for (let round = 0; round < 4; round++) for (const me of table.members) look(table, me);
}

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const members = fc.uniqueArray(names, { minLength: 1 });
const holders = fc.array(fc.option(names), { minLength: 1, maxLength: 20 });

describe('sharing partitions', () => {
  // Claim: from any table, the living members end up holding everything, evenly, and then nothing moves. A violation
  // would need two members that compute different shares from the same table, or a member that waits for a partition no
  // other gives up.
  it('ends with every partition held, evenly, and at rest', () => {
    fc.assert(
      fc.property(members, holders, fc.array(fc.nat(5)), (alive, held, order) => {
        const table: Table = { members: alive, holders: held };
        comeToRest(table, order);
        const counts = alive.map((member) => table.holders.filter((holder) => holder === member).length);
        assert.equal(
          counts.reduce((sum, count) => sum + count),
          held.length,
        );
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1);
        for (const me of alive) assert.equal(look(table, me), 0);
      }),
    );
  });

  it('moves no partition of those who stay when one dies, and only what is due when one joins', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 20 }), (alive, partitions) => {
        const table: Table = { members: [...alive], holders: Array.from({ length: partitions }, () => null) };
        comeToRest(table, []);
        const before = [...table.holders];
        table.members.push('z');
        comeToRest(table, []);
        const moved = table.holders.filter((holder, index) => holder !== before[index]);
        assert.ok(moved.every((holder) => holder === 'z'));
        table.members.pop();
        const joined = [...table.holders];
        comeToRest(table, []);
        for (const [index, holder] of joined.entries()) if (holder !== 'z') assert.equal(table.holders[index], holder);
      }),
    );
  });

  // Claim: no member reads the table again until the next rebalance, so one reading must be enough. A violation would
  // leave a partition without an owner.
  it('done at one place: every partition in one hand, evenly, and everyone keeps of its own what its share holds', () => {
    fc.assert(
      fc.property(members, holders, (alive, held) => {
        const shares = shareOut({ partitions: held.length, members: alive, holders: held });
        assert.deepEqual([...shares.keys()].sort(), [...alive].sort());
        assert.deepEqual(
          [...shares.values()].flat().sort((a, b) => a - b),
          held.map((_, partition) => partition),
        );
        const had = (member: string): number => held.filter((holder) => holder === member).length;
        for (const [member, share] of shares) {
          const kept = share.filter((partition) => held[partition] === member).length;
          assert.equal(
            kept,
            Math.min(had(member), share.length),
            `${member} keeps as many of its partitions as it can`,
          );
          for (const [other, theirs] of shares) {
            assert.ok(share.length - theirs.length <= 1, 'evenly');
            if (share.length > theirs.length)
              assert.ok(had(member) >= had(other), 'what is over stays with who has most');
          }
        }
      }),
    );
  });
});
