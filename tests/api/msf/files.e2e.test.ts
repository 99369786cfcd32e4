// Files of revisions: docs/interface.md#two-forms; docs/metering.md#what-a-read-costs; docs/interface.md#revision-files.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const base = `/v1/games/${game}/plays`;
const links = { snapshot: `${base}/snapshot`, archives: '/v1/leagues/NBA/plays/archives' };

let api: TestApi;
let plays: FakeStream;

const address = (revision: number | string, kind = 'snapshot', index: number | string = 0, epoch = plays.epoch) =>
  `${base}/revisions/${epoch}/${revision}/${kind}/${index}`;

beforeAll(async () => {
  api = await startApi();
  plays = api.stream(game, 'plays');
  await plays.publish(['a=1', 'b=1', 'c=1', 'd=1']);
  await plays.publish(['e=1', 'f=1'], { deleted: ['a=1'] });
  await plays.publish([], { kind: 'replace' });
});
afterAll(() => api.close());

describe('a file of a revision', () => {
  it('is immutable bytes, each file at its index: of the state, or of the change', async () => {
    const texts = async (revision: number, kind: string, count: number) => {
      const read = Array.from({ length: count }, (_, index) => api.get(address(revision, kind, index)));
      const replies = await Promise.all(read);
      for (const [index, { status, headers, body }] of replies.entries()) {
        const stored = plays.revision(revision)[kind === 'change' ? 'changeFiles' : 'snapshotFiles'][index];
        assert.deepEqual([status, headers['content-type']], [200, 'application/vnd.apache.parquet']);
        assert.equal(headers['cache-control'], 'private, max-age=86400, immutable');
        assert.equal(headers.etag, `"${stored?.file.sha256}"`);
        assert.equal(headers['x-service-rowcount'], String(stored?.rows));
        assert.equal(headers['x-service-debited'], String(stored?.rows));
        assert.equal(Number(headers['content-length']), body.length);
      }
      return replies.map(({ body }) => body.toString());
    };
    assert.deepEqual(await texts(1, 'snapshot', 2), ['a=1\nb=1\nc=1\n', 'd=1\n']);
    assert.deepEqual(await texts(1, 'change', 2), ['upsert a=1\nupsert b=1\nupsert c=1\n', 'upsert d=1\n']);
    assert.deepEqual(await texts(2, 'snapshot', 2), ['b=1\nc=1\nd=1\n', 'e=1\nf=1\n']);
    assert.deepEqual(await texts(2, 'change', 1), ['delete a=1\nupsert e=1\nupsert f=1\n']);
  });

  it('is served in any range, and is unchanged by its ETag', async () => {
    const whole = await api.get(address(1));
    const part = await api.get(address(1), { headers: { range: 'bytes=2-5' } });
    assert.deepEqual([part.status, part.body], [206, whole.body.subarray(2, 6)]);
    assert.equal(part.headers['content-range'], `bytes 2-5/${whole.body.length}`);
    assert.equal(part.headers['cache-control'], 'no-store');
    const etag = whole.headers.etag as string;
    const unchanged = await api.get(address(1), { headers: { 'if-none-match': etag } });
    assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
    const beyond = await api.get(address(1), { headers: { range: 'bytes=1000-' } });
    assertProblem(beyond, 'range-not-satisfiable');
    assertProblem(await api.get(address(1), { headers: { range: 'bytes=x' } }), 'validation-error');
  });

  it('debits its rows at every read, of a range too; what has no body is free', async () => {
    const key = api.catalog.mint(pepper, { accountId: 'reader' });
    const used = async () => (await api.ledger.usage('reader')).usedRows;
    const { etag = '' } = (await api.get(address(1), { key })).headers;
    assert.equal(await used(), 3);
    await api.get(address(1), { key, headers: { range: 'bytes=0-0' } });
    assert.equal(await used(), 6);
    await api.get(address(2, 'change'), { key });
    assert.equal(await used(), 9);
    for (const request of [
      { method: 'HEAD' },
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-match': '"x"' } },
      { headers: { range: 'bytes=1000-' } },
    ]) {
      const reply = await api.get(address(1), { key, ...request });
      assert.notEqual(reply.status, 206);
      assert.equal(reply.headers['x-service-debited'] ?? '0', '0');
    }
    assertProblem(await api.get(address(1, 'snapshot', 7), { key }), 'not-found');
    assert.equal(await used(), 9);
    const { items } = await api.ledger.items('reader', null);
    assert.deepEqual(
      items.map(({ kind, gameId, dataset, reads, rows }) => [kind, gameId, dataset, reads, rows]),
      [['msf', game, 'plays', 3, 9]],
    );
  });

  it('past the quota is refused whole', async () => {
    const key = api.catalog.mint(pepper, { accountId: 'poor', monthlyRows: 2 });
    api.ledger.quotas.set('poor', 2);
    assertProblem(await api.get(address(1), { key }), 'quota-exhausted');
    assert.equal((await api.get(address(1, 'snapshot', 1), { key })).status, 200);
    assert.equal((await api.ledger.usage('poor')).usedRows, 1);
  });

  it('of a state without rows does not exist: the record lists no file', async () => {
    const reply = await api.get(`${base}/snapshot?at_revision=3&epoch=${plays.epoch}`);
    const { files, row_count, revision_kind } = reply.json() as {
      files: unknown[];
      row_count: number;
      revision_kind: string;
    };
    assert.deepEqual([files, row_count, revision_kind], [[], 0, 'replace']);
    for (const kind of ['snapshot', 'change']) {
      assert.equal(assertProblem(await api.get(address(3, kind)), 'not-found').title, 'No such file');
    }
  });

  it('is not found where a place in the path cannot be one', async () => {
    for (const path of [
      address(1, 'baseline'),
      address(1, 'Snapshot'),
      address('x'),
      address('01'),
      address('0'),
      address(1, 'snapshot', 'x'),
      address(1, 'snapshot', '-1'),
      address(1, 'snapshot', '00'),
      address(1, 'snapshot', '9'.repeat(30)),
      address(1, 'snapshot', 0, 'a.b'),
      address(1, 'snapshot', 0, '%00'),
      address(1, 'snapshot', 0, 'x'.repeat(129)),
    ]) {
      assert.equal(assertProblem(await api.get(path), 'not-found').title, 'No such file', path);
    }
  });

  it('below an unknown dataset, game or league is not found', async () => {
    const rest = `revisions/${plays.epoch}/1/snapshot/0`;
    for (const [below, title] of [
      [`/v1/games/${game}/nonsense`, 'Unknown dataset'],
      ['/v1/games/nonsense/plays', 'Game not found'],
      ['/v1/leagues/XFL/plays', 'League not covered'],
      ['/v1/leagues/XFL/nonsense', 'Unknown dataset'],
    ]) {
      assert.equal(assertProblem(await api.get(`${below}/${rest}`), 'not-found').title, title);
    }
  });

  it('of a revision that was never published is not yet available', async () => {
    for (const path of [
      address(4),
      address('9007199254740993'),
      address(1, 'snapshot', 0, epochNamed('Z')),
      `/v1/games/${game}/team-stats/revisions/${plays.epoch}/1/snapshot/0`,
      `/v1/leagues/NBA/plays/revisions/${plays.epoch}/1/snapshot/0`,
    ]) {
      assert.equal(typeof assertProblem(await api.get(path), 'not-yet-available').poll_after, 'number', path);
    }
  });

  it('is served while it is kept, listed or not; later only the state that begins an archive is in the retained history', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (const row of ['a=1', 'b=1', 'c=1', 'd=1']) await stream.publish([row]);
    stream.archive(1, 2);
    stream.retain({ listedFrom: 4, deletedBelow: 3 });
    assert.equal((await own.get(address(3))).status, 200, 'unlisted, and still there');
    assert.equal((await own.get(address(1))).status, 200, 'the baseline of an archive');
    const { reason, snapshot, archives } = assertProblem(await own.get(address(2)), 'not-found');
    assert.deepEqual({ reason, snapshot, archives }, { reason: 'revision_not_retained', ...links });
    const old = stream.epoch;
    stream.reset(epochNamed('B'));
    await stream.publish(['a=1']);
    assert.equal((await own.get(address(1, 'snapshot', 0, old))).status, 200, 'of a replaced epoch too');
    assert.equal(assertProblem(await own.get(address(4, 'snapshot', 0, old)), 'not-found').reason, reason);
    assertProblem(await own.get(address(5, 'snapshot', 0, old)), 'not-yet-available', 404);
  });

  it('of a baseline whose changes went is outside the retained history', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (const row of ['a=1', 'b=1', 'c=1']) await stream.publish([row]);
    stream.archive(2, 3);
    Object.assign(stream.revision(2), { changeFiles: [] });
    assert.equal(assertProblem(await own.get(address(2, 'change')), 'not-found').reason, 'revision_not_retained');
    assert.equal((await own.get(address(2))).status, 200);
  });
});

it('a file of a league costs its rows, under the code of the league', async () => {
  const injuries = api.stream('NBA', 'injuries');
  await injuries.publish(['p1=out', 'p2=out']);
  const key = api.catalog.mint(pepper, { accountId: 'league' });
  const reply = await api.get(`/v1/leagues/nba/injuries/revisions/${injuries.epoch}/1/change/0`, { key });
  assert.deepEqual([reply.status, reply.headers['x-service-debited']], [200, '2']);
  const { items } = await api.ledger.items('league', null);
  assert.deepEqual([items[0]?.gameId, items[0]?.dataset, items[0]?.rows], ['NBA', 'injuries', 2]);
});

it('the id of a game in any case, and its UUID, lead to the same file', async () => {
  const { body } = await api.get(address(1));
  for (const id of [game.toLowerCase(), uuidOf(game)]) {
    const reply = await api.get(`/v1/games/${id}/plays/revisions/${plays.epoch}/1/snapshot/0`);
    assert.deepEqual([reply.status, reply.body], [200, body]);
  }
});
