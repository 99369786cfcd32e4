// Changes of streams: docs/interface.md#change-listing; docs/interface.md#two-forms; docs/interface.md#changes.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { MsfDataset } from '../../../core/msf/types.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type ChangeListing, changeListing } from '../../../schemas/http/msf.ts';
import { someTime, uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const other = 'NBA_NYK_MIA_20260805';
const base = `/v1/games/${game}`;
const path = `${base}/plays/changes`;
const links = { snapshot: `${base}/plays/snapshot`, archives: '/v1/leagues/NBA/plays/archives' };

let api: TestApi;
let plays: FakeStream;

const cursorAt = (revision: number, epoch = plays.epoch, of = game, dataset: MsfDataset = 'plays') =>
  formatCursor({ dataset, scopeUuid: uuidOf(of), epoch, revision });
const listing = async (query: string, at = path, from = api): Promise<ChangeListing> => {
  const reply = await from.get(`${at}?${query}`);
  assert.equal(reply.status, 200, reply.body.toString());
  return changeListing.parse(reply.json());
};
const numbers = ({ revisions }: ChangeListing) => revisions.map(({ revision }) => revision);

beforeAll(async () => {
  api = await startApi();
  api.catalog.now = someTime;
  plays = api.stream(game, 'plays');
  for (let row = 1; row <= 12; row += 1) await plays.publish([`r${row}=1`]);
  await plays.publish(['r1=2'], { deleted: ['r2=1'] });
  await api.stream(other, 'plays').publish(['x=1']);
  await api.stream(game, 'injuries').publish(['x=1']);
});
afterAll(() => api.close());

describe('a change listing', () => {
  it('has the revisions after the cursor, each with its own cursor and the files of its change', async () => {
    const { revisions, ...head } = await listing(`cursor=${cursorAt(11)}`);
    assert.deepEqual(head, {
      dataset: 'plays',
      scope: { kind: 'game', game_id: game },
      schema_version: 'v1',
      stream_epoch: plays.epoch,
      high_water_revision: 13,
      cursor: cursorAt(13),
      poll_after: 30,
      freshness: {
        newest_applied_source_updated_at: formatMicros(plays.revision(13).sourceObservation.source_updated_at),
        last_changed_at: formatMicros(plays.revision(13).sourceObservation.source_updated_at),
        latest_request_started_at: null,
        last_pull_success_observed_at: null,
        last_normalized_at: null,
        health_observed_at: null,
      },
    });
    assert.deepEqual(
      revisions.map((one) => [one.revision, one.revision_kind, one.row_count, one.snapshot_row_count, one.cursor]),
      [
        [12, 'append', 1, 12, cursorAt(12)],
        [13, 'patch', 2, 11, cursorAt(13)],
      ],
    );
    for (const { revision, snapshot_digest, files } of revisions) {
      assert.equal(snapshot_digest, plays.revision(revision).snapshotDigest);
      assert.equal(files[0]?.url, `${base}/plays/revisions/${plays.epoch}/${revision}/change/0`);
    }
    const change = await api.get(revisions[1]?.files[0]?.url as string);
    assert.equal(change.body.toString(), 'upsert r1=2\ndelete r2=1\n');
  });

  it('echoes the cursor when nothing is new', async () => {
    const found = await listing(`cursor=${cursorAt(13)}`);
    assert.deepEqual([found.revisions, found.cursor, found.high_water_revision], [[], cursorAt(13), 13]);
  });

  it('of a snapshot and the revisions behind it is the state at the head', async () => {
    const snapshot = (await api.get(`${base}/plays/snapshot?at_revision=4&epoch=${plays.epoch}`)).json() as {
      files: { url: string }[];
      cursor: string;
    };
    const state = new Set<string>();
    const lines = async (url: string) => (await api.get(url)).body.toString().trimEnd().split('\n');
    for (const { url } of snapshot.files) for (const line of await lines(url)) state.add(line);
    for (const { files } of (await listing(`cursor=${snapshot.cursor}`)).revisions) {
      for (const { url } of files) {
        for (const line of await lines(url)) {
          const [op, row] = line.split(' ') as [string, string];
          for (const known of state) if (known.split('=')[0] === row.split('=')[0]) state.delete(known);
          if (op === 'upsert') state.add(row);
        }
      }
    }
    assert.deepEqual([...state].sort(), [...plays.state.values()].sort());
  });

  it('is unchanged, and free, while its page is the same', async () => {
    const page = `${path}?cursor=${cursorAt(11)}`;
    const used = (await api.ledger.usage('account')).usedRows;
    const { etag = '' } = (await api.get(page)).headers;
    assert.match(etag, /^W\/"[0-9a-f]{64}"$/);
    plays.touch({ latest_request_started_at: someTime });
    assert.equal((await api.get(page, { headers: { 'if-none-match': etag } })).status, 304);
    const pages = ['&limit=1', '&until_revision=12', ''].map((query) => page + query);
    const tags = await Promise.all([...pages, `${path}?cursor=${cursorAt(10)}`].map((one) => api.get(one)));
    assert.equal(new Set(tags.map(({ headers }) => headers.etag)).size, 4);
    assert.equal((await api.ledger.usage('account')).usedRows, used);
  });
});

describe('pages', () => {
  it('have limit revisions, 1 to 500, 100 when it is left out', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (let row = 1; row <= 520; row += 1) await stream.publish([], { kind: 'patch' });
    const asked = async (query: string) => numbers(await listing(`cursor=${cursorAt(1)}${query}`, path, own)).length;
    assert.deepEqual([await asked(''), await asked('&limit=1'), await asked('&limit=500')], [100, 1, 500]);
    for (const limit of ['0', '501', 'x', '-1', '1.5', '', '1e2']) {
      const reply = await own.get(`${path}?cursor=${cursorAt(1)}&limit=${limit}`);
      assert.match(assertProblem(reply, 'validation-error').detail as string, /limit/);
    }
  });

  it('end at revisions, and go on from their cursor', async () => {
    const seen: number[] = [];
    let cursor = cursorAt(1);
    for (;;) {
      const page = await listing(`cursor=${cursor}&limit=5`);
      if (page.revisions.length === 0) break;
      seen.push(...numbers(page));
      assert.equal(page.cursor, page.revisions.at(-1)?.cursor);
      cursor = page.cursor;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 12 }, (_, at) => at + 2),
    );
  });

  it('stay below until_revision, which holds the high-water mark while the head moves on', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (let row = 1; row <= 6; row += 1) await stream.publish([`r${row}=1`]);
    const first = await listing(`cursor=${cursorAt(1)}&limit=2`, path, own);
    assert.deepEqual([numbers(first), first.high_water_revision], [[2, 3], 6]);
    for (let row = 7; row <= 9; row += 1) await stream.publish([`r${row}=1`]);
    const held = `&limit=2&until_revision=${first.high_water_revision}`;
    const second = await listing(`cursor=${first.cursor}${held}`, path, own);
    assert.deepEqual([numbers(second), second.high_water_revision], [[4, 5], 6]);
    const third = await listing(`cursor=${second.cursor}${held}`, path, own);
    assert.deepEqual([numbers(third), third.high_water_revision, third.cursor], [[6], 6, cursorAt(6)]);
    assert.deepEqual(numbers(await listing(`cursor=${third.cursor}${held}`, path, own)), []);
    assert.deepEqual(numbers(await listing(`cursor=${third.cursor}`, path, own)), [7, 8, 9]);
  });

  it('up to a revision above the head go to the head, and below the cursor are empty', async () => {
    const above = await listing(`cursor=${cursorAt(11)}&until_revision=9007199254740991`);
    assert.deepEqual([numbers(above), above.high_water_revision], [[12, 13], 13]);
    for (const until of [11, 5]) {
      const below = await listing(`cursor=${cursorAt(11)}&until_revision=${until}`);
      assert.deepEqual([numbers(below), below.cursor, below.high_water_revision], [[], cursorAt(11), until]);
    }
    for (const until of ['0', 'x', '-1', '']) {
      const reply = await api.get(`${path}?cursor=${cursorAt(1)}&until_revision=${until}`);
      assert.match(assertProblem(reply, 'validation-error').detail as string, /until_revision/);
    }
  });
});

describe('a cursor', () => {
  const refused = async (cursor: string, at = path) =>
    assertProblem(await api.get(`${at}?cursor=${encodeURIComponent(cursor)}`), 'validation-error').detail as string;

  it('is required', async () => {
    assert.match(assertProblem(await api.get(path), 'validation-error').detail as string, /cursor is required/);
  });

  it('of another form is refused', async () => {
    const good = cursorAt(1);
    for (const cursor of ['', 'x', '0:0', '1:18', `${good} `, `${good}0x`, `${good}:1`, good.replace(/:1$/, ':0')]) {
      assert.match(await refused(cursor), /cursor/);
    }
    for (const revision of ['01', '-1', '1.5', '9007199254740992']) await refused(good.replace(/1$/, revision));
    await refused(good.replace('plays', 'nonsense'));
    await refused(good.replace(uuidOf(game), uuidOf(game).toUpperCase()));
  });

  it('of another dataset is refused, before the game is looked for', async () => {
    assert.match(await refused(cursorAt(1, plays.epoch, game, 'injuries')), /one of injuries/);
    assert.match(await refused(cursorAt(1), '/v1/games/nonsense/injuries/changes'), /one of plays/);
  });

  it('of another game or league is refused, when the game is known', async () => {
    assert.match(await refused(cursorAt(1, plays.epoch, other)), /another game or league/);
    assert.match(await refused(cursorAt(1), '/v1/leagues/NBA/plays/changes'), /another game or league/);
    assertProblem(await api.get(`/v1/games/nonsense/plays/changes?cursor=${cursorAt(1)}`), 'not-found');
  });

  it('with an epoch that this stream never had is refused', async () => {
    assert.match(await refused(cursorAt(1, epochNamed('Q'))), /epoch/);
  });

  it('behind the head was never returned: 404 not-yet-available', async () => {
    const reply = await api.get(`${path}?cursor=${cursorAt(14)}`);
    assert.equal(assertProblem(reply, 'not-yet-available').poll_after, 30);
  });

  it('of a stream of which nothing is published is not yet available', async () => {
    const cursor = cursorAt(1, plays.epoch, game, 'team-stats');
    const problem = assertProblem(
      await api.get(`${base}/team-stats/changes?cursor=${cursor}`),
      'not-yet-available',
      404,
    );
    assert.equal(problem.poll_after, 30);
  });

  it('of a replaced epoch is answered stream-reset, with the new epoch and the replacement snapshot', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    await stream.publish(['a=1']);
    await stream.publish(['b=1']);
    const old = (await listing(`cursor=${cursorAt(1)}`, path, own)).cursor;
    stream.reset(epochNamed('B'));
    await stream.publish(['c=1']);
    const { stream_epoch, snapshot, archives } = assertProblem(
      await own.get(`${path}?cursor=${old}`),
      'stream-reset',
      410,
    );
    assert.deepEqual({ stream_epoch, snapshot, archives }, { stream_epoch: epochNamed('B'), ...links });
    const replacement = (await own.get(snapshot as string)).json() as { cursor: string; stream_epoch: string };
    assert.equal(replacement.stream_epoch, epochNamed('B'));
    await stream.publish(['d=1']);
    assert.deepEqual(numbers(await listing(`cursor=${replacement.cursor}`, path, own)), [2]);
  });

  it('below the retained history is answered cursor-expired, with the snapshot to continue from', async (t) => {
    const own = await startApi();
    t.onTestFinished(() => own.close());
    const stream = own.stream(game, 'plays');
    for (let row = 1; row <= 6; row += 1) await stream.publish([`r${row}=1`]);
    assert.deepEqual(numbers(await listing(`cursor=${cursorAt(1)}`, path, own)), [2, 3, 4, 5, 6]);
    stream.retain({ listedFrom: 4, deletedBelow: 1 });
    for (const revision of [1, 2]) {
      const reply = await own.get(`${path}?cursor=${cursorAt(revision)}`);
      const { stream_epoch, snapshot, archives } = assertProblem(reply, 'cursor-expired', 410);
      assert.deepEqual({ stream_epoch, snapshot, archives }, { stream_epoch: stream.epoch, ...links });
    }
    assert.deepEqual(numbers(await listing(`cursor=${cursorAt(3)}`, path, own)), [4, 5, 6]);
    assert.equal((await own.get(links.snapshot)).status, 200, 'the link leads on');
  });
});

it('a league has changes of its own stream alone', async () => {
  const injuries = api.stream('NBA', 'injuries');
  for (const row of ['p1=out', 'p2=out']) await injuries.publish([row]);
  const { cursor } = (await api.get('/v1/leagues/NBA/injuries/snapshot')).json() as { cursor: string };
  const below = '/v1/leagues/nba/injuries/changes';
  const found = await listing(`cursor=${cursor.replace(/2$/, '1')}`, below);
  assert.deepEqual([numbers(found), found.scope], [[2], { kind: 'game', game_id: 'NBA' }]);
  assert.equal(found.revisions[0]?.files[0]?.url, `/v1/leagues/NBA/injuries/revisions/${injuries.epoch}/2/change/0`);
});

it('changes below an unknown dataset, game or league are not found', async () => {
  const none = async (at: string, cursor: string) =>
    assertProblem(await api.get(`${at}?cursor=${cursor}`), 'not-found');
  assert.equal((await none('/v1/games/nonsense/plays/changes', cursorAt(1))).title, 'Game not found');
  assert.equal((await none('/v1/leagues/XFL/plays/changes', cursorAt(1))).title, 'League not covered');
  assert.equal((await none(`${base}/nonsense/changes`, cursorAt(1))).title, 'Unknown dataset');
  assertProblem(await api.get(`${base}/nonsense/changes?cursor=none`), 'validation-error');
});
