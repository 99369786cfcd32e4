// Claim: the fold of observations is what docs/revisions.md says. Logs of a game and of its league — late, early, stamped in the future, the
// same again, minted half-way, with months of ticks — go through the fold and through the naive oracle of tests/oracle; every verdict,
// revision, archive, settlement, what is kept, and each member of freshness must be the same after every record, and saving in between must
// change nothing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { msfDatasets } from '../../../../core/msf/types.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { type LoggedRecord, msfLogs, recordsOf } from '../../../support/arbitraries/msf.ts';
import { logWithResets, type ResetSketch } from '../../../support/arbitraries/msf-resets.ts';
import { firstMsfDifference } from '../../../support/folds/msf-beside-oracle.ts';
import { PureMsf } from '../../../support/folds/msf-log.ts';

const runs = cases(300);

describe('observations beside the oracle', () => {
  it('agree where epochs are reset, with gaps and with observations that come meanwhile', () => {
    const resets = fc.record<ResetSketch>({
      dataset: fc.constantFrom(...msfDatasets),
      lost: fc.constantFrom(0, 0, 1, 2, 3),
      meanwhile: fc.nat(2),
    });
    let ended = 0;
    fc.assert(
      fc.property(msfLogs(), resets, fc.nat(6), (sketch, reset, every) => {
        const log = logWithResets(sketch, reset);
        const difference = firstMsfDifference(log, (index) => index % 7 === every);
        if (difference !== undefined) assert.deepEqual(difference.ours, difference.oracle, `record ${difference.at}`);
        ended += endedResets(log);
      }),
      { numRuns: runs },
    );
    assert.ok(ended > runs / 10, `${ended} resets of ${runs} began an epoch`);
  });

  it('agree on every record and stream', () => {
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
    // Everything compared must have occurred.
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

/** How many resets replaced an epoch. */
function endedResets(log: readonly LoggedRecord[]): number {
  const msf = new PureMsf();
  let ended = 0;
  for (const { record, at } of log) {
    if (record.tick !== null && !msf.scopes.has(record.scope_uuid)) continue;
    const { effects } = msf.fold(record, at);
    if (record.reset?.phase === 'end' && effects.epochs.some(({ replaces }) => replaces !== null)) ended += 1;
  }
  return ended;
}

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
