// Snapshots of streams: docs/interface.md#revision-record; docs/interface.md#snapshot-manifest; docs/interface.md#two-forms;
// docs/interface.md#snapshot.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type SnapshotManifest, snapshotManifest } from '../../../schemas/http/msf.ts';
import { someTime, uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const base = `/v1/games/${game}`;
const path = `${base}/plays/snapshot`;
const names = ['game-state', 'plays', 'player-stats', 'team-stats', 'injuries'] as const;

let api: TestApi;
let plays: FakeStream;

const manifestOf = (reply: Reply): SnapshotManifest => {
  assert.equal(reply.status, 200, reply.body.toString());
  return snapshotManifest.parse(reply.json());
};
const manifest = async (at: string): Promise<SnapshotManifest> => manifestOf(await api.get(at));

beforeAll(async () => {
  api = await startApi();
  api.catalog.now = someTime;
  plays = api.stream(game, 'plays');
  await plays.publish(['a=1', 'b=1', 'c=1', 'd=1']);
  await plays.publish(['e=1']);
  await plays.publish(['b=2'], { deleted: ['c=1'], pendingSourceRevision: 'sha256:later' });
});
afterAll(() => api.close());

describe('a snapshot manifest', () => {
  it('equals the record of the newest revision, with the files of the whole state', async () => {
    const { stream_epoch: epoch, ...record } = await manifest(path);
    const { sourceObservation: source, ...head } = plays.revision(3);
    assert.equal(epoch, plays.epoch);
    assert.deepEqual(record, {
      dataset: 'plays',
      scope: { kind: 'game', game_id: game },
      schema_version: 'v1',
      revision: 3,
      revision_kind: 'patch',
      is_baseline: false,
      history_origin: 'captured',
      source_observation: {
        source_revision: source.source_revision,
        source_updated_at: formatMicros(source.source_updated_at),
        request_started_at: formatMicros(source.request_started_at),
        timestamp_basis: 'source',
        source_played_status: 'LIVE',
        source_schedule_status: 'NORMAL',
      },
      materialized_at: formatMicros(head.materializedAt),
      status: 'provisional',
      coverage: {
        state: 'complete',
        coverage_start: formatMicros(someTime),
        coverage_end: formatMicros(head.coverage.coverage_end as number),
        gaps: [],
      },
      pending_source_revision: 'sha256:later',
      files: head.snapshotFiles.map(({ rows, file }, index) => {
        return { rows, sha256: file.sha256, url: `${base}/plays/revisions/${epoch}/3/snapshot/${index}` };
      }),
      row_count: 4,
      cursor: `plays:${uuidOf(game)}:${epoch}:3`,
      snapshot_digest: head.snapshotDigest,
      snapshot_row_count: 4,
      live_capture_started_at: formatMicros(someTime),
      poll_after: 30,
      published_at: formatMicros(head.publishedAt),
      freshness: {
        newest_applied_source_updated_at: formatMicros(source.source_updated_at),
        last_changed_at: formatMicros(source.source_updated_at),
        latest_request_started_at: null,
        last_pull_success_observed_at: null,
        last_normalized_at: null,
        health_observed_at: null,
      },
    });
  });

  it('lists files that are the state', async () => {
    const { files, row_count } = await manifest(path);
    const rows: string[] = [];
    for (const { url, rows: count } of files) {
      const text = (await api.get(url)).body.toString();
      assert.equal(text.split('\n').length - 1, count);
      rows.push(...text.trimEnd().split('\n'));
    }
    assert.deepEqual(rows, ['a=1', 'b=2', 'd=1', 'e=1']);
    assert.equal(row_count, 4);
  });

  it('has a cursor from which the change listing continues', async () => {
    const { cursor } = await manifest(path);
    const { revisions, cursor: same } = (await api.get(`${base}/plays/changes?cursor=${cursor}`)).json() as {
      revisions: unknown[];
      cursor: string;
    };
    assert.deepEqual([revisions, same], [[], cursor]);
  });

  it('has every member of freshness, evidenced or null, and moves with it under the same ETag', async () => {
    const before = await api.get(path);
    const evidence = { latest_request_started_at: someTime + 1, last_pull_success_observed_at: someTime + 2 };
    plays.touch({ ...evidence, last_normalized_at: someTime + 3, health_observed_at: someTime + 4 });
    const reply = await api.get(path);
    const { freshness } = manifestOf(reply);
    assert.deepEqual(
      [freshness.latest_request_started_at, freshness.last_pull_success_observed_at],
      [formatMicros(someTime + 1), formatMicros(someTime + 2)],
    );
    assert.deepEqual(
      [freshness.last_normalized_at, freshness.health_observed_at],
      [formatMicros(someTime + 3), formatMicros(someTime + 4)],
    );
    assert.notDeepEqual(reply.body, before.body);
    assert.equal(reply.headers.etag, before.headers.etag);
  });

  it('is private, for as long as an answer may be old', async () => {
    const { headers } = await api.get(path);
    assert.deepEqual([headers['cache-control'], headers.vary], ['private, max-age=5', 'Authorization']);
  });

  it('is unchanged, and free, until epoch, revision, status or coverage move', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    await stream.publish(['a=1']);
    const seen = new Set<string>();
    const asked = async (expected: 200 | 304) => {
      for (const etag of [...seen].slice(-1)) {
        const reply = await own.get(path, { headers: { 'if-none-match': etag } });
        assert.deepEqual([reply.status, reply.body.length > 0], [expected, expected === 200]);
      }
      const { etag = '' } = (await own.get(path)).headers;
      assert.match(etag, /^W\/"[0-9a-f]{64}"$/);
      assert.equal(seen.has(etag), expected === 304);
      seen.add(etag);
    };
    await asked(200);
    await asked(304);
    stream.touch({ latest_request_started_at: someTime });
    await asked(304);
    await stream.publish(['b=1']);
    await asked(200);
    await stream.publish([], { status: 'verified', kind: 'patch' });
    await asked(200);
    stream.reset(epochNamed('B'));
    await stream.publish(['a=1']);
    await asked(200);
    assert.equal((await own.ledger.usage('account')).usedRows, 0);
  });

  it('fails every If-Match but `*`, because the comparison is strong', async () => {
    const { etag = '' } = (await api.get(path)).headers;
    assertProblem(await api.get(path, { headers: { 'if-match': etag } }), 'precondition-failed');
    assert.equal((await api.get(path, { headers: { 'if-match': '*' } })).status, 200);
  });
});

describe('a revision that is asked for', () => {
  it('is read instead of the head, with the facts of when it was cut', async () => {
    const first = await manifest(`${path}?at_revision=1&epoch=${plays.epoch}`);
    assert.deepEqual([first.revision, first.revision_kind, first.is_baseline], [1, 'replace', true]);
    assert.deepEqual([first.row_count, first.snapshot_row_count], [4, 4]);
    assert.equal(first.snapshot_digest, plays.revision(1).snapshotDigest);
    assert.equal(first.published_at, formatMicros(plays.revision(1).publishedAt));
    const second = await manifest(`${path}?epoch=${plays.epoch}&at_revision=2`);
    assert.deepEqual([second.revision, second.revision_kind, second.row_count], [2, 'append', 5]);
    const head = await manifest(`${path}?epoch=${plays.epoch}&at_revision=3`);
    assert.deepEqual(head, await manifest(path));
  });

  it('needs its epoch, and the epoch a revision', async () => {
    for (const query of ['at_revision=1', `epoch=${plays.epoch}`]) {
      const { detail } = assertProblem(await api.get(`${path}?${query}`), 'validation-error');
      assert.match(detail as string, /together/);
    }
    for (const query of ['at_revision=0', 'at_revision=x', 'at_revision=-1', 'at_revision=1.5', 'at_revision=']) {
      assertProblem(await api.get(`${path}?${query}&epoch=${plays.epoch}`), 'validation-error');
    }
    for (const epoch of ['', 'a%20b', 'a.b', 'x'.repeat(129)]) {
      assertProblem(await api.get(`${path}?at_revision=1&epoch=${epoch}`), 'validation-error');
    }
  });

  it('that was never published is not yet available, whatever its number or epoch', async () => {
    for (const [revision, epoch] of [
      [4, plays.epoch],
      ['9007199254740993', plays.epoch],
      [1, epochNamed('Z')],
      [1, 'x'.repeat(128)],
    ]) {
      const problem = assertProblem(
        await api.get(`${path}?at_revision=${revision}&epoch=${epoch}`),
        'not-yet-available',
        404,
      );
      assert.equal(problem.poll_after, 30);
    }
  });

  it('outside the retained history is refused with the place to continue from', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (const row of ['a=1', 'b=1', 'c=1']) await stream.publish([row]);
    const old = stream.epoch;
    stream.retain({ listedFrom: 3, deletedBelow: 2 });
    const expected = {
      reason: 'revision_not_retained',
      snapshot: path,
      archives: '/v1/leagues/NBA/plays/archives',
    };
    const links = async (revision: number) => {
      const reply = await own.get(`${path}?at_revision=${revision}&epoch=${old}`);
      const { reason, snapshot, archives } = assertProblem(reply, 'not-found');
      assert.deepEqual({ reason, snapshot, archives }, expected);
    };
    for (const revision of [1, 2]) await links(revision);
    assert.equal((await own.get(`${path}?at_revision=3&epoch=${old}`)).status, 200);
    stream.reset(epochNamed('B'));
    await stream.publish(['a=1']);
    for (const revision of [1, 3]) await links(revision);
    for (const revision of [4, 9])
      assertProblem(await own.get(`${path}?at_revision=${revision}&epoch=${old}`), 'not-yet-available', 404);
    assert.equal((await own.get(expected.snapshot)).status, 200, 'the link leads on');
  });
});

describe('what has no snapshot', () => {
  it('is an unknown dataset: the known ones are named before the game or league is looked up', async () => {
    for (const below of [base, '/v1/games/nonsense', '/v1/leagues/NBA', '/v1/leagues/XFL']) {
      for (const dataset of ['nonsense', 'sportsbook-lines', 'closing-lines', 'PLAYS']) {
        const problem = assertProblem(await api.get(`${below}/${dataset}/snapshot`), 'not-found');
        assert.equal(problem.title, 'Unknown dataset');
        for (const name of names) assert.match(problem.detail as string, new RegExp(`\\b${name}\\b`));
      }
    }
  });

  it('is an unknown game, or a league that is not covered', async () => {
    for (const id of ['NBA_BOS_LAL_19990805', 'nonsense', uuidOf('nobody')]) {
      const problem = assertProblem(await api.get(`/v1/games/${id}/plays/snapshot`), 'not-found');
      assert.equal(problem.title, 'Game not found');
    }
    for (const league of ['XFL', 'N', 'nba1', 'N%EF%AC%82', '%C5%BF']) {
      const problem = assertProblem(await api.get(`/v1/leagues/${league}/plays/snapshot`), 'not-found');
      assert.equal(problem.title, 'League not covered');
    }
  });

  it('is a dataset of which nothing is published yet: 404 not-yet-available, and when to ask again', async () => {
    for (const dataset of names.filter((name) => name !== 'plays')) {
      const problem = assertProblem(await api.get(`${base}/${dataset}/snapshot`), 'not-yet-available', 404);
      assert.equal(problem.poll_after, 30);
      assertProblem(await api.get(`${base}/${dataset}/snapshot`, { method: 'GET' }), 'not-yet-available');
    }
  });
});

describe('a league', () => {
  it('has a stream of its own for injuries, under its code in any case', async () => {
    const injuries = api.stream('NBA', 'injuries');
    await injuries.publish(['p1=out', 'p2=doubtful']);
    const found = await manifest('/v1/leagues/nba/injuries/snapshot');
    assert.deepEqual(found.scope, { kind: 'game', game_id: 'NBA' });
    assert.deepEqual([found.row_count, found.poll_after], [2, 3_600]);
    assert.equal(found.files[0]?.url, `/v1/leagues/NBA/injuries/revisions/${injuries.epoch}/1/snapshot/0`);
    assert.equal((await api.get(found.files[0]?.url as string)).body.toString(), 'p1=out\np2=doubtful\n');
  });

  it('has nothing published for the other datasets, whatever its games have', async () => {
    for (const dataset of names.filter((name) => name !== 'injuries')) {
      const reply = await api.get(`/v1/leagues/NBA/${dataset}/snapshot`);
      assert.equal(assertProblem(reply, 'not-yet-available').poll_after, 3_600);
    }
  });
});

it('a game in any case, and its UUID, lead to the same stream without a redirect', async () => {
  const { body } = await api.get(path);
  for (const id of [game.toLowerCase(), uuidOf(game), uuidOf(game).toUpperCase()]) {
    const reply = await api.get(`/v1/games/${id}/plays/snapshot`);
    assert.deepEqual([reply.status, reply.body], [200, body]);
  }
});
