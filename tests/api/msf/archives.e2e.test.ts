// Archives: docs/interface.md#archive; docs/interface.md#two-forms; docs/interface.md#limits; docs/interface.md#archive-listing;
// docs/revisions.md#archives-of-a-league.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { stateDigest } from '../../../core/msf/digest.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type ArchiveAnswer, type ArchivesDocument, archive, archivesPage } from '../../../schemas/http/msf.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, send, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const other = 'NBA_NYK_MIA_20260805';
const base = `/v1/games/${game}/plays/archives`;
const list = '/v1/leagues/NBA/plays/archives';

let api: TestApi;
let plays: FakeStream;
let id: string;

const page = async (path: string, from = api): Promise<ArchivesDocument> => {
  const reply = await from.get(path);
  assert.equal(reply.status, 200, reply.body.toString());
  return archivesPage.parse(reply.json());
};
const read = async (path: string): Promise<ArchiveAnswer> => {
  const reply = await api.get(path);
  assert.equal(reply.status, 200, reply.body.toString());
  return archive.parse(reply.json());
};

beforeAll(async () => {
  api = await startApi();
  plays = api.stream(game, 'plays');
  for (const row of ['a=1', 'b=1', 'c=1', 'd=1']) await plays.publish([row]);
  await plays.publish(['a=2'], { deleted: ['b=1'] });
  await plays.publish([], { kind: 'replace' });
  await plays.publish(['z=1']);
  id = plays.archive(1, 3).id;
  plays.archive(4, 7);
  const elsewhere = api.stream(other, 'plays');
  await elsewhere.publish(['x=1']);
  elsewhere.archive(1, 1);
  const injuries = api.stream('NBA', 'injuries');
  await injuries.publish(['p=out']);
  injuries.archive(1, 1);
  const inOtherLeague = api.stream('NHL_BOS_NYR_20260805', 'plays');
  await inOtherLeague.publish(['x=1']);
  inOtherLeague.archive(1, 1);
});
afterAll(() => api.close());

describe('the list of archives', () => {
  it('is an envelope with the archives of all games of the league, in the order of their commits', async () => {
    const { archives, ...envelope } = await page(list);
    assert.deepEqual(envelope, {
      dataset: 'plays',
      scope: { kind: 'game', game_id: 'NBA' },
      schema_version: 'v1',
      next_cursor: null,
    });
    assert.deepEqual(
      archives.map(({ game_id, first_revision, last_revision, revision_count }) => [
        game_id,
        first_revision,
        last_revision,
        revision_count,
      ]),
      [
        [game, 1, 3, 3],
        [game, 4, 7, 4],
        [other, 1, 1, 1],
      ],
    );
    assert.deepEqual(
      (await page('/v1/leagues/nba/injuries/archives')).archives.map(({ game_id }) => game_id),
      ['NBA'],
    );
  });

  it('describes each: what it holds, and where it is', async () => {
    const [first] = (await page(list)).archives;
    const [from, to] = [plays.revision(1), plays.revision(3)];
    const stored = api.msf.archives[0];
    assert.deepEqual(first, {
      archive_id: `${plays.epoch}-1-3`,
      game_id: game,
      stream_epoch: plays.epoch,
      first_revision: 1,
      last_revision: 3,
      revision_count: 3,
      source_start: formatMicros(from.sourceObservation.source_updated_at),
      source_end: formatMicros(to.sourceObservation.source_updated_at),
      row_count: 4,
      bytes: stored?.bytes,
      committed_at: formatMicros(stored?.committedAt as number),
      url: `${base}/${plays.epoch}-1-3`,
    });
    for (const { url } of (await page(list)).archives) assert.equal((await api.get(url)).status, 200, url);
    const [ofLeague] = (await page('/v1/leagues/NBA/injuries/archives')).archives;
    assert.equal(ofLeague?.url, `/v1/leagues/NBA/injuries/archives/${ofLeague?.archive_id}`);
    assert.equal((await api.get(ofLeague?.url as string)).status, 200);
  });

  it('is free, needs a key, and is asked for anew each time', async () => {
    const reply = await api.get(list);
    assert.deepEqual(
      [reply.headers['cache-control'], reply.headers['x-service-debited']],
      ['private, max-age=0', undefined],
    );
    assert.match(reply.headers.etag ?? '', /^"[0-9a-f]{64}"$/);
    assertProblem(await api.get(list, { key: null }), 'invalid-key');
  });

  it('has pages of 64: a full one never changes, the last grows', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (let revision = 1; revision <= 130; revision += 1) {
      await stream.publish([], { kind: 'patch' });
      if (revision <= 128) stream.archive(revision, revision);
    }
    const walk = async () => {
      const pages: ArchivesDocument[] = [];
      let path = list;
      for (;;) {
        const found = await page(path, own);
        pages.push(found);
        if (found.next_cursor === null) return pages;
        path = `${list}?cursor=${found.next_cursor}`;
      }
    };
    const before = await walk();
    assert.deepEqual(
      before.map(({ archives }) => archives.length),
      [64, 64, 0],
      'a page that is full names the next, which may be empty',
    );
    assertProblem(await own.get(`${list}?cursor=p3`), 'not-found');
    stream.archive(129, 130);
    const after = await walk();
    assert.deepEqual(
      after.map(({ archives }) => archives.length),
      [64, 64, 1],
    );
    assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
  });

  it('knows its cursors: one of a wrong form is 400, one that names no page 404', async () => {
    for (const cursor of ['', 'x', '1', 'p', 'p-1', 'p01', 'p1x', `p${'9'.repeat(16)}`]) {
      assertProblem(await api.get(`${list}?cursor=${cursor}`), 'validation-error');
    }
    for (const cursor of ['p1', 'p999999999999999']) {
      assert.equal(assertProblem(await api.get(`${list}?cursor=${cursor}`), 'not-found').title, 'No such page');
    }
    assertProblem(await api.get(`${list}?limit=1`), 'validation-error');
  });

  it('without archives, of an unknown dataset or of a league that is not covered is 404', async () => {
    const problem = assertProblem(await api.get('/v1/leagues/NFL/plays/archives'), 'not-yet-available', 404);
    assert.equal(problem.poll_after, 3_600);
    assert.equal(
      assertProblem(await api.get('/v1/leagues/NBA/nonsense/archives'), 'not-found').title,
      'Unknown dataset',
    );
    assert.equal(
      assertProblem(await api.get('/v1/leagues/XFL/plays/archives'), 'not-found').title,
      'League not covered',
    );
    assertProblem(await api.get(`/v1/games/${game}/plays/archives`), 'not-found');
  });
});

describe('an archive', () => {
  it('is the document that was committed: its baseline, and the record of every revision', async () => {
    const found = await read(`${base}/${id}`);
    assert.deepEqual(
      [found.archive_id, found.dataset, found.scope, found.schema_version, found.stream_epoch],
      [id, 'plays', { kind: 'game', game_id: game }, 'v1', plays.epoch],
    );
    assert.deepEqual([found.first_revision, found.last_revision], [1, 3]);
    assert.deepEqual(
      [found.source_start, found.source_end],
      [
        formatMicros(plays.revision(1).sourceObservation.source_updated_at),
        formatMicros(plays.revision(3).sourceObservation.source_updated_at),
      ],
    );
    assert.deepEqual([found.baseline.revision, found.baseline.is_baseline, found.baseline.row_count], [1, true, 1]);
    assert.deepEqual(Object.keys(found.baseline).slice(-3), ['live_capture_started_at', 'poll_after', 'freshness']);
    assert.deepEqual(
      found.revisions.map(({ revision, snapshot_digest, snapshot_row_count }) => [
        revision,
        snapshot_digest,
        snapshot_row_count,
      ]),
      [1, 2, 3].map((number) => [number, plays.revision(number).snapshotDigest, number]),
    );
    assert.equal(found.revisions[1]?.files[0]?.url, `${base}/${id}/changes/2/0`);
  });

  it('rebuilds every state from the first revision on, empty replacements included', async () => {
    for (const first of [1, 4]) {
      const last = first === 1 ? 3 : 7;
      const { baseline, revisions } = await read(`${base}/${plays.epoch}-${first}-${last}`);
      const state = new Map<string, string>();
      const lines = async (url: string) => (await api.get(url)).body.toString().trimEnd().split('\n');
      const put = (row: string) => state.set(row.split('=')[0] as string, row);
      for (const { url } of baseline.files) for (const row of await lines(url)) put(row);
      for (const record of revisions) {
        if (record.revision > baseline.revision) {
          if (record.revision_kind === 'replace') state.clear();
          for (const { url } of record.files) {
            for (const line of await lines(url)) {
              const [op, row] = line.split(' ') as [string, string];
              if (op === 'upsert') put(row);
              else state.delete(row.split('=')[0] as string);
            }
          }
        }
        assert.equal(state.size, record.snapshot_row_count);
        assert.equal(stateDigest([...state.values()].sort()), record.snapshot_digest);
      }
    }
  });

  it('is the same below its game and below its league, free, and may be kept for a day', async () => {
    const below = [`${base}/${id}`, `${list}/${id}`, `/v1/leagues/nba/plays/archives/${id}`];
    const replies = await Promise.all(below.map((path) => api.get(path)));
    for (const { status, headers, body } of replies) {
      assert.deepEqual([status, body.toString()], [200, api.msf.archives[0]?.document]);
      assert.equal(headers.etag, `"${api.msf.archives[0]?.documentSha256}"`);
      assert.equal(headers['cache-control'], 'private, max-age=86400, immutable');
      assert.equal(headers['x-service-debited'], undefined);
    }
    const etag = replies[0]?.headers.etag as string;
    assert.equal((await api.get(`${base}/${id}`, { headers: { 'if-none-match': etag } })).status, 304);
  });

  it('stays when its epoch is replaced', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (const row of ['a=1', 'b=1']) await stream.publish([row]);
    const { id: old } = stream.archive(1, 2);
    stream.reset(epochNamed('B'));
    await stream.publish(['c=1']);
    const found = archive.parse((await own.get(`${base}/${old}`)).json());
    for (const { files } of [found.baseline, ...found.revisions]) {
      for (const { url } of files) assert.equal((await own.get(url)).status, 200, url);
    }
  });

  it.each([
    ['an older', ({ baseline: { poll_after: _, ...baseline }, ...rest }) => ({ ...rest, baseline })],
    ['a newer', ({ baseline, ...rest }) => ({ ...rest, baseline: { ...baseline, added: 1 }, added: 'too' })],
  ] as [string, (document: ArchiveAnswer) => object][])(
    'of %s release is served as that release wrote it, with its files',
    async (_release, written) => {
      const own = await startApi();
      try {
        const stream = own.stream(game, 'plays');
        for (const row of ['a=1', 'b=1']) await stream.publish([row]);
        const stored = stream.archive(1, 2);
        const whole = JSON.parse(stored.document) as ArchiveAnswer;
        const document = JSON.stringify(written(whole));
        const documentSha256 = createHash('sha256').update(document).digest('hex');
        Object.assign(stored, { document, documentSha256 });
        // Not by `get`, which checks answers against this release's own description.
        const reply = await send(own.url, `${base}/${stored.id}`, { key: own.key });
        assert.deepEqual([reply.status, reply.body.toString()], [200, document]);
        for (const { files } of [whole.baseline, ...whole.revisions])
          for (const { url } of files) assert.equal((await own.get(url)).status, 200, url);
      } finally {
        await own.close();
      }
    },
  );

  it('with an unknown name, or of another game, league or dataset, is not found', async () => {
    const { id: elsewhere } = { id: `${plays.epoch}-1-1` };
    for (const path of [
      `${base}/${plays.epoch}-1-2`,
      `${base}/nonsense`,
      `${base}/${'x'.repeat(129)}`,
      `${base}/a.b`,
      `${base}/%2e%2e`,
      `/v1/games/${game}/team-stats/archives/${id}`,
      `/v1/games/${other}/plays/archives/${id}`,
      `/v1/leagues/NHL/plays/archives/${id}`,
      `/v1/leagues/NHL/plays/archives/${elsewhere}-x`,
    ]) {
      assert.equal(assertProblem(await api.get(path), 'not-found').title, 'No such archive', path);
    }
    for (const [path, title] of [
      [`/v1/games/${game}/nonsense/archives/${id}`, 'Unknown dataset'],
      [`/v1/games/nonsense/plays/archives/${id}`, 'Game not found'],
      [`/v1/leagues/XFL/plays/archives/${id}`, 'League not covered'],
    ] as const) {
      assert.equal(assertProblem(await api.get(path), 'not-found').title, title);
    }
  });
});

describe('a change file of an archive', () => {
  const file = (revision: number | string, index: number | string = 0) => `${base}/${id}/changes/${revision}/${index}`;

  it('is immutable bytes, in ranges and on conditions, below the game and the league', async () => {
    for (const path of [file(2), `${list}/${id}/changes/2/0`]) {
      const reply = await api.get(path);
      assert.deepEqual([reply.status, reply.body.toString()], [200, 'upsert b=1\n']);
      assert.equal(reply.headers['cache-control'], 'private, max-age=86400, immutable');
      assert.equal(reply.headers.etag, `"${plays.revision(2).changeFiles[0]?.file.sha256}"`);
      assert.equal(reply.headers['x-service-rowcount'], '1');
      const part = await api.get(path, { headers: { range: 'bytes=-4' } });
      assert.deepEqual([part.status, part.body.toString()], [206, 'b=1\n']);
      const unchanged = await api.get(path, { headers: { 'if-none-match': reply.headers.etag as string } });
      assert.deepEqual([unchanged.status, unchanged.headers['x-service-debited']], [304, '0']);
    }
  });

  it('debits its rows at every read, of a range too', async () => {
    const key = api.catalog.mint(pepper, { accountId: 'archivist' });
    await api.get(file(2), { key });
    await api.get(file(2), { key, headers: { range: 'bytes=0-0' } });
    const { etag = '' } = (await api.get(file(2), { key, method: 'HEAD' })).headers;
    await api.get(file(2), { key, headers: { 'if-none-match': etag } });
    assert.equal((await api.ledger.usage('archivist')).usedRows, 2);
  });

  it('that is not in the archive is not found', async () => {
    for (const path of [file(4), file(2, 1), file('x'), file('01'), file(0), file(2, 'x'), file('9'.repeat(20))]) {
      assert.equal(assertProblem(await api.get(path), 'not-found').title, 'No such file', path);
    }
    assert.equal(assertProblem(await api.get(`${base}/nonsense/changes/1/0`), 'not-found').title, 'No such archive');
  });
});
