// What `sds verify` says of a stream that moves while it is looked at: what was archived meanwhile is looked for there, and only what is nowhere
// is missing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gameUuid } from '../core/msf/ids.ts';
import type { StoredArchive } from '../core/ports/catalog/msf.ts';
import { Report } from '../ops/verify/report.ts';
import { type StreamTools, verifyStreams } from '../ops/verify/verify-streams.ts';

const epoch = '01M81C7VYXKDXFDKGCQ2FEAPJE';
const scopeUuid = gameUuid('NBA', 1);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An archive of one revision of the empty state. */
function archiveOf(revision: number): StoredArchive {
  const revisions = [{ revision, revision_kind: 'replace', snapshot_digest: sha256(''), snapshot_row_count: 0 }];
  const document = JSON.stringify({ revisions });
  return {
    id: `${epoch}-${revision}-${revision}`,
    scopeUuid,
    scopeId: 'G',
    league: 'NBA',
    dataset: 'plays',
    epoch,
    first: revision,
    last: revision,
    sourceStart: 0,
    sourceEnd: 0,
    rows: 0,
    bytes: 0,
    committedAt: 0,
    document,
    documentSha256: sha256(document),
    baseline: [],
    changes: [{ revision, files: [] }],
  };
}

/** Verifies an epoch of revisions 1 and 2, none of which is kept, with these archives at each look. */
async function verified(looks: readonly (readonly StoredArchive[])[]): Promise<Report> {
  const report = new Report();
  let look = 0;
  const tools: StreamTools = {
    report,
    objects: { get: async () => null },
    parquet: { decode: () => [] },
    msf: { revisions: async () => [] },
    history: {
      histories: async () => [
        {
          scopeUuid,
          dataset: 'plays',
          scopeId: 'G',
          epochs: [{ epoch, current: true, head: 2, listedFrom: 1 }],
          knownSince: null,
        },
      ],
      archives: async () => looks[Math.min(look++, looks.length - 1)] ?? [],
    },
  };
  await verifyStreams(tools, null);
  return report;
}

describe('verifying a stream that moves meanwhile', () => {
  it('finds the revisions of an epoch that ended in its last archive', async () => {
    const { checked, violations } = await verified([[archiveOf(1)], [archiveOf(1), archiveOf(2)]]);
    assert.deepEqual(violations, []);
    assert.equal(checked['revisions'], 2);
    assert.equal(checked['archives'], 2);
  });

  it('says what is in no archive and not kept', async () => {
    const { violations } = await verified([[archiveOf(1)]]);
    assert.deepEqual(
      violations.map(({ invariant, detail }) => [invariant, detail]),
      [['I12', 'revisions 2 to 2 are in no archive and not kept']],
    );
  });
});
