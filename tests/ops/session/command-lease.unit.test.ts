// The lease of commands of which one at a time may run: refused while another has it, renewed once a second, given up whatever ends the work.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import { CommandFailure } from '../../../ops/session/command.ts';
import { type CommandLease, underLease } from '../../../ops/session/command-lease.ts';

const lease: CommandLease = { name: 'dead-letters', commands: 'sds dlq replay or discard' };

function leasesThat(mayHold: () => boolean) {
  const asked: string[] = [];
  return {
    asked,
    async hold(name: string) {
      asked.push(`hold ${name}`);
      return mayHold();
    },
    async release(name: string) {
      asked.push(`release ${name}`);
    },
  };
}

describe('the lease of a command', () => {
  it('refuses a second command before it does anything', async () => {
    const leases = leasesThat(() => false);
    const work = () => assert.fail('it began');
    await assert.rejects(
      underLease(leases, lease, () => 0, work),
      (error: unknown) => {
        assert.ok(error instanceof CommandFailure && error.exitCode === 3);
        assert.match(error.message, /^another sds dlq replay or discard runs; nothing was done/);
        return true;
      },
    );
    assert.deepEqual(leases.asked, ['hold dead-letters'], 'and leaves the lease to the other');
  });

  it('is renewed once a second, and answers when another has taken it', async () => {
    let [seconds, mine] = [0, true];
    const leases = leasesThat(() => mine);
    const clock = () => seconds * 1_000_000;
    const held = await underLease(leases, lease, clock, async (holds) => {
      const answers: boolean[] = [];
      for (; seconds < 2; seconds += 0.25) answers.push(await holds());
      mine = false;
      for (; seconds < 4; seconds += 0.5) answers.push(await holds());
      return answers;
    });
    assert.deepEqual(held, [...Array(8).fill(true), false, false, false, false]);
    assert.equal(leases.asked.filter((each) => each === 'hold dead-letters').length, 1 + 1 + 4);
  });

  it('does not hide how the work ended where it cannot be given up', async () => {
    const leases = leasesThat(() => true);
    leases.release = () => Promise.reject(new CatalogUnavailable('the database does not answer'));
    const under = (work: () => Promise<string>) => underLease(leases, lease, () => 0, work);
    assert.equal(await under(async () => 'done'), 'done');
    await assert.rejects(
      under(() => Promise.reject(new Error('no log'))),
      /no log/,
    );
  });

  it('is given up by work that fails', async () => {
    const leases = leasesThat(() => true);
    const failing = underLease(
      leases,
      lease,
      () => 0,
      () => Promise.reject(new Error('no log')),
    );
    await assert.rejects(failing, /no log/);
    assert.equal(leases.asked.at(-1), 'release dead-letters');
  });
});
