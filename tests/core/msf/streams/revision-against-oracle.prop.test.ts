// Claim: the fold of observations is what docs/revisions.md says. Logs of a game and of its league — late, early, stamped in the future, the
// same again, minted half-way, with months of ticks — go through the fold and through the naive oracle of tests/oracle; every verdict,
// revision, archive, settlement, what is kept, and each member of freshness must be the same after every record, and saving in between must
// change nothing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { cases } from '../../../support/arbitraries/cases.ts';
import { msfLogs, recordsOf } from '../../../support/arbitraries/msf.ts';
import { firstMsfDifference } from '../../../support/folds/msf-beside-oracle.ts';
import { PureMsf } from '../../../support/folds/msf-log.ts';

const runs = cases(300);

describe('observations beside the oracle', () => {
  it('says the same of every record and stream', () => {
    let revisions = 0;
    let archives = 0;
    let minted = 0;
    fc.assert(
      fc.property(msfLogs(), fc.nat(6), (sketch, every) => {
        const difference = firstMsfDifference(recordsOf(sketch), (index) => index % 7 === every);
        if (difference === undefined) return;
        assert.deepEqual(difference.ours, difference.oracle, `record ${difference.at}`);
      }),
      { numRuns: runs },
    );
    // What was compared must have happened.
    fc.assert(
      fc.property(msfLogs(), (sketch) => {
        const said = whatHappens(sketch);
        revisions += said.revisions;
        archives += said.archives;
        minted += said.minted;
      }),
      { numRuns: 50 },
    );
    assert.ok(revisions > 50 && archives > 5 && minted > 5, `${revisions} ${archives} ${minted}`);
  });
});

function whatHappens(sketch: Parameters<typeof recordsOf>[0]): { revisions: number; archives: number; minted: number } {
  const msf = new PureMsf();
  const sum = { revisions: 0, archives: 0, minted: 0 };
  for (const { record, at } of recordsOf(sketch)) {
    if (record.tick !== null && !msf.scopes.has(record.scope_uuid)) continue;
    const { effects } = msf.fold(record, at);
    sum.revisions += effects.revisions.length;
    sum.archives += effects.archiveCuts.length;
    sum.minted += effects.epochs.filter(({ replaces }) => replaces !== null).length;
  }
  return sum;
}
