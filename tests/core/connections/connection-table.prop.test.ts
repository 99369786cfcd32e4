// Claim: however connections open, close, and become busy and idle, a table never holds more than its caps and the busy ones, closes the
// same connections as a plain list would, and closes no busy one. A violation would need its counts by address or by size to differ from
// the open connections.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ConnectionTable } from '../../../core/connections/connection-table.ts';

type Connection = { address: string; busy: boolean };

const addresses = ['a', 'b', 'c'];
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ opens: fc.constantFrom(...addresses), busy: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ closes: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ turns: fc.nat() }) },
);
const caps = fc.record({ all: fc.integer({ min: 1, max: 8 }), ofAddress: fc.integer({ min: 1, max: 8 }) });

/**
 * Which connections may end to make room for `newest`, given the open ones, oldest first. If several addresses have
 * equally many, any of them may be `crowded`.
 */
function endings(
  open: readonly Connection[],
  newest: Connection,
  { all, ofAddress }: { all: number; ofAddress: number },
) {
  const of = (address: string) => open.filter((each) => each.address === address);
  const most = Math.max(...addresses.map((address) => of(address).length));
  const crowded =
    of(newest.address).length > ofAddress
      ? [newest.address]
      : open.length > all
        ? addresses.filter((address) => of(address).length === most)
        : [];
  return crowded.map((address) => of(address).find((each) => each !== newest && !each.busy) ?? newest);
}

describe('a table of connections', () => {
  it('ends only the oldest idle connection of the address with too many, or with most', () => {
    fc.assert(
      fc.property(caps, fc.array(step, { maxLength: 60 }), (limits, steps) => {
        const table = new ConnectionTable<Connection>(limits, ({ busy }) => busy);
        let open: Connection[] = [];
        for (const each of steps) {
          if ('opens' in each) {
            const newest = { address: each.opens, busy: each.busy };
            open.push(newest);
            const ended = table.open(newest, newest.address);
            const possible = endings(open, newest, limits);
            assert.ok(ended === null ? possible.length === 0 : possible.includes(ended), JSON.stringify(ended));
            open = open.filter((other) => other !== ended);
            // A socket that was ended reports its close afterwards.
            if (ended !== null) table.close(ended, ended.address);
            continue;
          }
          const chosen = open['closes' in each ? each.closes % (open.length || 1) : each.turns % (open.length || 1)];
          if (chosen === undefined) continue;
          if ('turns' in each) chosen.busy = !chosen.busy;
          else {
            open = open.filter((other) => other !== chosen);
            table.close(chosen, chosen.address);
          }
        }
      }),
    );
  });

  it('has room for another address, however many one holds', () => {
    const table = new ConnectionTable<Connection>({ all: 8, ofAddress: 6 }, ({ busy }) => busy);
    const crowd = Array.from({ length: 20 }, () => ({ address: 'a', busy: false }));
    for (const each of crowd) table.open(each, 'a');
    for (let count = 0; count < 4; count += 1) {
      const honest = { address: `h${count}`, busy: false };
      const ended = table.open(honest, honest.address);
      assert.equal(ended?.address, count < 2 ? undefined : 'a');
    }
  });
});
