// What `sds verify` says of a stream that moves while it is looked at: what was archived meanwhile is looked for there, and only what is
// nowhere is missing. And of archives that were written when the dataset had other columns: they stay readable (docs/revisions.md#epochs;
// docs/revisions.md#digest).

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { canonicalLine } from '../../../core/msf/canonical-row.ts';
import { stateDigest } from '../../../core/msf/digest.ts';
import { gameUuid } from '../../../core/msf/ids.ts';
import type { FilePart, PublishedRevision, StoredArchive } from '../../../core/ports/catalog/msf.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { Report } from '../../../ops/verify/report.ts';
import { type StreamTools, verifyStreams } from '../../../ops/verify/verify-streams.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { changeFileOf } from '../../../schemas/datasets/change-file.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { teamStats } from '../../../schemas/datasets/team-stats.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';

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

/** A kept revision of the empty state. */
function keptRevision(revision: number): PublishedRevision {
  const facts = { revision, kind: 'replace', snapshotDigest: sha256(''), snapshotRows: 0 };
  return { ...facts, changeFiles: [], snapshotFiles: [] } as unknown as PublishedRevision;
}

/** Verifies an epoch with the revisions 1 and 2, given the archives at each check, and those that are kept. */
async function verified(
  looks: readonly (readonly StoredArchive[])[],
  kept: readonly PublishedRevision[] = [],
  open = heardProgress().open,
): Promise<Report> {
  const report = new Report();
  let look = 0;
  const tools: StreamTools = {
    report,
    objects: { get: async () => null },
    parquet: parquetWriter,
    msf: { revisions: async ({ after }) => kept.filter(({ revision }) => revision > after) },
    history: {
      histories: async () => [
        {
          scopeUuid,
          dataset: 'plays',
          scopeId: 'G',
          league: 'NBA',
          epochs: [{ epoch, current: true, head: 2, listedFrom: 1 }],
          knownSince: null,
        },
      ],
      archives: async () => looks[Math.min(look++, looks.length - 1)] ?? [],
    },
  };
  await verifyStreams(tools, null, open);
  return report;
}

describe('verifying a stream that moves meanwhile', () => {
  it('finds the revisions of an epoch that ended in its last archive', async () => {
    const { checked, violations } = await verified([[archiveOf(1)], [archiveOf(1), archiveOf(2)]]);
    assert.deepEqual(violations, []);
    assert.equal(checked.revisions, 2);
    assert.equal(checked.archives, 2);
  });

  it('says what is in no archive and not kept', async () => {
    const { violations } = await verified([[archiveOf(1)]]);
    assert.deepEqual(
      violations.map(({ invariant, detail }) => [invariant, detail]),
      [['I12', 'revisions 2 to 2 are neither archived nor kept']],
    );
  });
});

describe('verifying a stream', () => {
  it('says how many states it has checked: one of each change, archived or not, and one of each listed snapshot', async () => {
    const { open, heard } = heardProgress();
    const { violations } = await verified([[archiveOf(1)]], [keptRevision(1), keptRevision(2)], open);
    assert.deepEqual([violations, heard], [[], ['4 of 4 states']]);
  });
});

describe('verifying archives of other columns', () => {
  const earlier: Dataset = { ...teamStats, columns: teamStats.columns.filter(({ name }) => name !== 'league') };
  const row = { game_id: 'G', team_id: 'T', stat: 's', value: 10_000 };
  const store = new Map<string, Uint8Array>();

  function filed(key: string, bytes: Uint8Array): FilePart {
    store.set(key, bytes);
    const { length: size } = bytes;
    return {
      rows: 1,
      file: { key: key as ObjectKey, offset: 0, size, sha256: createHash('sha256').update(bytes).digest('hex') },
    };
  }

  /** The archive of an epoch of one revision with these files. */
  function archived(scope: string, snapshot: Uint8Array, change: Uint8Array, digest: string): StoredArchive {
    const facts = { revision: 1, revision_kind: 'replace', snapshot_digest: digest, snapshot_row_count: 1 };
    const document = JSON.stringify({ revisions: [facts] });
    const changes = [{ revision: 1, files: [filed(`${scope} change`, change)] }];
    const baseline = [filed(`${scope} snapshot`, snapshot)];
    return { ...archiveOf(1), dataset: 'team-stats', document, documentSha256: sha256(document), baseline, changes };
  }

  const written = (dataset: Dataset) => [
    encodeParquet(dataset, [row] as never, new Map()),
    encodeParquet(changeFileOf(dataset), [{ ...row, _op: 'upsert' }] as never, new Map()),
  ];
  const digest = stateDigest([canonicalLine(earlier.columns, row)]);
  const [snapshot, change] = written(earlier) as [Uint8Array, Uint8Array];

  async function violationsOf(archives: Record<string, StoredArchive>) {
    const report = new Report();
    const epochs = [{ epoch, current: false, head: 1, listedFrom: 1 }];
    const histories = Object.keys(archives).map((scopeId) => {
      return {
        scopeUuid: scopeId,
        dataset: 'team-stats' as const,
        league: 'NBA' as const,
        scopeId,
        epochs,
        knownSince: null,
      };
    });
    const tools: StreamTools = {
      report,
      objects: { get: async (key) => store.get(key) ?? null },
      parquet: parquetWriter,
      msf: { revisions: async () => [] },
      history: {
        histories: async () => histories,
        archives: async ({ scopeUuid: scope }) => [archives[scope] as StoredArchive],
      },
    };
    await verifyStreams(tools, null);
    return report.violations.map(({ invariant, subject }) => `${invariant} ${subject.slice(0, 1)}`);
  }

  it('reads and hashes them by the columns of their own files', async () => {
    assert.deepEqual(await violationsOf({ A: archived('A', snapshot, change, digest) }), []);
  });

  it('finds what is not what was published there too', async () => {
    const other = stateDigest([canonicalLine(earlier.columns, { ...row, value: 10_001 })]);
    assert.deepEqual(await violationsOf({ A: archived('A', snapshot, change, other) }), ['I12 A', 'I12 A']);
  });

  it('goes on with the others where a file is none, has no key, or has columns that its epoch has not', async () => {
    const unkeyed: Dataset = { ...earlier, columns: earlier.columns.filter(({ name }) => name !== 'stat') };
    const [, changeWithoutKey] = written(unkeyed) as [Uint8Array, Uint8Array];
    const later = encodeParquet(teamStats, [{ ...row, league: 'NBA' }] as never, new Map());
    const violations = await violationsOf({
      A: archived('A', snapshot, Buffer.from('no Parquet file'), digest),
      B: archived('B', snapshot, changeWithoutKey, digest),
      C: archived('C', later, change, digest),
      D: archived('D', snapshot, change, sha256('')),
    });
    assert.deepEqual([...new Set(violations)], ['I5 A', 'I5 B', 'I5 C', 'I12 D']);
  });
});
