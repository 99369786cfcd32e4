// The JSON of revisions and archives, their addresses and cursors (docs/interface.md#revision-record to "Archive").
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  archiveAddress,
  archivesAddress,
  revisionFileAddress,
  snapshotAddress,
} from '../../../../core/msf/published/addresses.ts';
import {
  formatArchivesCursor,
  formatCursor,
  parseArchivesCursor,
  parseCursor,
} from '../../../../core/msf/published/cursor.ts';
import { revisionRecord } from '../../../../core/msf/published/record.ts';
import { archiveDocument } from '../../../../core/msf/streams/archive-document.ts';
import { noFreshness } from '../../../../core/msf/streams/freshness.ts';
import type { Scope } from '../../../../core/msf/types.ts';
import type { FilePart, PublishedRevision } from '../../../../core/ports/catalog/msf.ts';
import type { ObjectKey } from '../../../../core/ports/object-store.ts';

const epoch = '01KEJPNMM0XB7GBFWRPEJRQ8JQ';
const scope: Scope = {
  kind: 'game',
  uuid: '4a1bd6a9-0a38-5a5e-8b10-2ad1a5ccbb0c',
  id: 'NBA_BOS_CLE_20260109',
  league: 'NBA',
};
const base = '/v1/games/NBA_BOS_CLE_20260109/plays';
const second = Date.UTC(2026, 0, 10, 1) * 1_000;
const part = (rows: number, digit: string): FilePart => ({
  rows,
  file: { key: 'objects/1' as ObjectKey, offset: 0, size: 10, sha256: digit.repeat(64) },
});

function revision(number: number): PublishedRevision {
  return {
    dataset: 'plays',
    epoch,
    revision: number,
    kind: number === 1 ? 'replace' : 'append',
    historyOrigin: 'captured',
    sourceObservation: {
      source_revision: 'sha256:00',
      source_updated_at: second + number,
      request_started_at: second,
      timestamp_basis: 'source',
      source_played_status: 'LIVE',
      source_schedule_status: null,
    },
    materializedAt: second,
    status: 'provisional',
    coverage: { state: 'complete', coverage_start: second, coverage_end: null, gaps: [] },
    pendingSourceRevision: null,
    liveCaptureStartedAt: second,
    changeRows: 3,
    snapshotRows: 64_003,
    snapshotDigest: 'd'.repeat(64),
    changeFiles: [part(3, 'c')],
    snapshotFiles: [part(64_000, 'a'), part(3, 'b')],
  };
}

const freshness = {
  newest_applied_source_updated_at: null,
  last_changed_at: '2026-01-10T01:00:00.000000Z',
  latest_request_started_at: null,
  last_pull_success_observed_at: null,
  last_normalized_at: null,
  health_observed_at: null,
};

const address = (revised: number, kind: 'change' | 'snapshot') => (index: number) =>
  revisionFileAddress(scope, 'plays', epoch, revised, kind, index);

describe('a revision record', () => {
  it('has every member, and the files of its change', () => {
    const record = revisionRecord(revision(2), scope, { of: 'change', addressOf: address(2, 'change') });
    assert.deepEqual(record, {
      dataset: 'plays',
      scope: { kind: 'game', game_id: 'NBA_BOS_CLE_20260109' },
      schema_version: 'v1',
      stream_epoch: epoch,
      revision: 2,
      revision_kind: 'append',
      is_baseline: false,
      history_origin: 'captured',
      source_observation: {
        source_revision: 'sha256:00',
        source_updated_at: '2026-01-10T01:00:00.000002Z',
        request_started_at: '2026-01-10T01:00:00.000000Z',
        timestamp_basis: 'source',
        source_played_status: 'LIVE',
        source_schedule_status: null,
      },
      materialized_at: '2026-01-10T01:00:00.000000Z',
      status: 'provisional',
      coverage: {
        state: 'complete',
        coverage_start: '2026-01-10T01:00:00.000000Z',
        coverage_end: null,
        gaps: [],
      },
      pending_source_revision: null,
      files: [{ rows: 3, sha256: 'c'.repeat(64), url: `${base}/revisions/${epoch}/2/change/0` }],
      row_count: 3,
      snapshot_digest: 'd'.repeat(64),
      snapshot_row_count: 64_003,
      cursor: `plays:${scope.uuid}:${epoch}:2`,
    });
  });

  it('of the state has its rows and files; the first of an epoch is a baseline', () => {
    const { files, row_count, is_baseline } = revisionRecord(revision(1), scope, {
      of: 'snapshot',
      addressOf: address(1, 'snapshot'),
    });
    assert.deepEqual(
      files.map(({ rows, url }) => [rows, url]),
      [
        [64_000, `${base}/revisions/${epoch}/1/snapshot/0`],
        [3, `${base}/revisions/${epoch}/1/snapshot/1`],
      ],
    );
    assert.deepEqual([row_count, is_baseline], [64_003, true]);
  });
});

describe('an archive', () => {
  it('is its first revision as a baseline, and the records of all', () => {
    const document = archiveDocument(scope, [revision(65), revision(66)], { ...noFreshness, last_changed_at: second });
    assert.deepEqual(
      [
        document.archive_id,
        document.first_revision,
        document.last_revision,
        document.source_start,
        document.source_end,
      ],
      [`${epoch}-65-66`, 65, 66, '2026-01-10T01:00:00.000065Z', '2026-01-10T01:00:00.000066Z'],
    );
    const { baseline, revisions } = document;
    assert.deepEqual(
      [baseline.revision, baseline.is_baseline, baseline.row_count, baseline.files.map(({ url }) => url)],
      [65, true, 64_003, [0, 1].map((index) => `${base}/revisions/${epoch}/65/snapshot/${index}`)],
    );
    assert.deepEqual([baseline.poll_after, baseline.freshness], [3_600, freshness]);
    assert.deepEqual(
      revisions.map(({ is_baseline, row_count, files }) => [is_baseline, row_count, files[0]?.url]),
      [65, 66].map((each) => [false, 3, `${base}/archives/${epoch}-65-66/changes/${each}/0`]),
    );
    assert.ok(!('live_capture_started_at' in revisions[0]!));
  });
});

describe('addresses', () => {
  it('are under the game, or the league', () => {
    const ofLeague = { kind: 'league', id: 'NBA' } as const;
    assert.equal(snapshotAddress(scope, 'plays'), `${base}/snapshot`);
    assert.equal(archivesAddress('NBA', 'plays'), '/v1/leagues/NBA/plays/archives');
    assert.equal(archiveAddress(ofLeague, 'injuries', 'x'), '/v1/leagues/NBA/injuries/archives/x');
    const file = revisionFileAddress(ofLeague, 'injuries', 'E', 3, 'change', 0);
    assert.equal(file, '/v1/leagues/NBA/injuries/revisions/E/3/change/0');
  });
});

describe('cursors', () => {
  const position = { dataset: 'plays', scopeUuid: scope.uuid, epoch, revision: 12 } as const;

  it('are read as they are written', () => {
    assert.deepEqual(parseCursor(formatCursor(position)), position);
    for (const page of [0, 1, 12]) assert.equal(parseArchivesCursor(formatArchivesCursor(page)), page);
  });

  it('are refused in any other form', () => {
    const good = formatCursor(position);
    const others = [
      '',
      'x',
      `${good}:1`,
      ` ${good}`,
      good.replace('plays', 'board'),
      good.replace(scope.uuid, scope.uuid.toUpperCase()),
      good.replace(epoch, 'E/1'),
      good.replace(':12', ':0'),
      good.replace(':12', ':012'),
      good.replace(':12', ':-1'),
      good.replace(':12', ':9007199254740992'),
      good.replace(':12', ''),
    ];
    for (const text of others) assert.equal(parseCursor(text), null, text);
    assert.equal(parseCursor(good.replace(':12', ':9007199254740991'))?.revision, Number.MAX_SAFE_INTEGER);
    for (const text of ['', 'p', 'p01', 'P1', '1', 'p-1', 'p1 ', `p${'1'.repeat(16)}`]) {
      assert.equal(parseArchivesCursor(text), null, text);
    }
  });
});
