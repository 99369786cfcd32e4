// What an instance keeps of streams in memory: docs/interface.md#what-an-instance-remembers. From memory moved by notices, never older than
// five seconds, never going back; and the catalog itself before any refusal. Where MSF serving is off there is none of it:
// docs/interface.md#what-the-service-does; docs/operations.md.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import { microsPerSecond } from '../../../core/units.ts';
import type { ChangeListing, SnapshotManifest } from '../../../schemas/http/msf.ts';
import { FakeCatalog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { FakeMsf, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, MovableClock, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

const game = 'NBA_BOS_LAL_20260805';
const base = `/v1/games/${game}/plays`;

let api: TestApi;
let stream: FakeStream;

const head = async (from = api): Promise<number> => {
  const reply = await from.get(`${base}/snapshot`);
  assert.equal(reply.status, 200, reply.body.toString());
  return (reply.json() as SnapshotManifest).revision;
};
const cursorAt = (revision: number) =>
  formatCursor({ dataset: 'plays', scopeUuid: uuidOf(game), epoch: stream.epoch, revision });
const idle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const pass = (seconds: number) => {
  api.clock.ahead += seconds * microsPerSecond;
};

describe('an instance', () => {
  beforeEach(async () => {
    api = await startApi();
    stream = api.stream(game, 'plays');
    await stream.publish(['a=1']);
  });
  afterEach(() => api.close());

  it('answers a followed stream from memory: manifest, listing and head files without the catalog', async () => {
    const paths = [
      `${base}/snapshot`,
      `${base}/changes?cursor=${cursorAt(1)}`,
      `${base}/revisions/${stream.epoch}/1/change/0`,
    ];
    for (const path of paths) assert.equal((await api.get(path)).status, 200);
    const before = { ...api.msf.calls, finds: api.catalog.calls.find };
    for (let ask = 0; ask < 50; ask += 1) for (const path of paths) assert.equal((await api.get(path)).status, 200);
    assert.deepEqual({ ...api.msf.calls, finds: api.catalog.calls.find }, before);
  });

  it('reads a page of changes once, however many ask for it', async () => {
    for (let row = 2; row <= 9; row += 1) await stream.publish([`r${row}=1`]);
    const path = `${base}/changes?cursor=${cursorAt(1)}`;
    assert.equal(await head(), 9);
    const slow = Promise.withResolvers<void>();
    api.catalog.state = slow.promise;
    const asked = Array.from({ length: 30 }, () => api.get(path));
    await until('one is asking', () => api.msf.calls.revisions > 0);
    await idle();
    slow.resolve();
    await Promise.all(asked);
    api.catalog.state = 'up';
    stream.touch({ health_observed_at: 1 });
    await Promise.all(Array.from({ length: 30 }, () => api.get(path)));
    assert.equal(api.msf.calls.revisions, 1);
  });

  it('moves at once with a notice', async () => {
    assert.equal(await head(), 1);
    await stream.publish(['b=1']);
    assert.equal(await head(), 2);
    const { revisions } = (await api.get(`${base}/changes?cursor=${cursorAt(1)}`)).json() as ChangeListing;
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      [2],
    );
  });

  it('without notices is behind for less than five seconds', async () => {
    assert.equal(await head(), 1);
    api.catalog.announcing = false;
    await stream.publish(['b=1']);
    assert.equal(await head(), 1);
    pass(5);
    assert.equal(await head(), 2);
  });

  it('queries the catalog before it answers that a revision is not published, retained or known', async () => {
    assert.equal(await head(), 1);
    api.catalog.announcing = false;
    await stream.publish(['b=1']);
    assert.equal((await api.get(`${base}/snapshot?at_revision=2&epoch=${stream.epoch}`)).status, 200);
    await stream.publish(['c=1']);
    assert.equal((await api.get(`${base}/revisions/${stream.epoch}/3/change/0`)).status, 200);
    await stream.publish(['d=1']);
    assert.equal((await api.get(`${base}/changes?cursor=${cursorAt(4)}`)).status, 200, 'a cursor of another instance');
    const other = api.stream(game, 'team-stats');
    const path = `/v1/games/${game}/team-stats/snapshot`;
    assertProblem(await api.get(path), 'not-yet-available');
    await other.publish(['a=1']);
    assert.equal((await api.get(path)).status, 200);
  });

  it('that missed the notice of an unlisted revision serves no page with a hole', async () => {
    for (const row of ['b=1', 'c=1', 'd=1', 'e=1']) await stream.publish([row]);
    assert.equal(await head(), 5);
    api.catalog.announcing = false;
    stream.retain({ listedFrom: 4, deletedBelow: 1 });
    assertProblem(await api.get(`${base}/changes?cursor=${cursorAt(1)}`), 'cursor-expired');
    assert.equal((await api.get(`${base}/changes?cursor=${cursorAt(3)}`)).status, 200);
  });

  it('never goes back, in whatever order reads end, and forgets no stream that it served', async () => {
    assert.equal(await head(), 1);
    const held = api.msf.held.get(`${uuidOf(game)}/plays`);
    const old = { ...held!.stream };
    await stream.publish(['b=1']);
    assert.equal(await head(), 2);
    held!.stream = old;
    pass(6);
    await api.get(`${base}/snapshot`);
    const read = api.msf.stream.bind(api.msf);
    for (const behind of [async () => old, async () => null]) {
      api.msf.stream = behind;
      pass(6);
      assert.equal(await head(), 2);
    }
    api.msf.stream = read;
  });

  it('reads again when notices may have been lost', async () => {
    assert.equal(await head(), 1);
    api.catalog.announcing = false;
    await stream.publish(['b=1']);
    api.msf.loseNotices();
    assert.equal(await head(), 2);
  });

  it('serves from memory while the catalog is down, then answers 503, and recovers by itself', async () => {
    assert.equal(await head(), 1);
    const file = `${base}/revisions/${stream.epoch}/1/snapshot/0`;
    assert.equal((await api.get(file)).status, 200);
    api.catalog.state = 'down';
    assert.equal(await head(), 1);
    pass(6);
    assertProblem(await api.get(`${base}/snapshot`), 'temporarily-unavailable');
    assertProblem(await api.get(`${base}/changes?cursor=${cursorAt(1)}`), 'temporarily-unavailable');
    assertProblem(await api.get(`/v1/leagues/NBA/plays/archives`), 'temporarily-unavailable');
    assertProblem(await api.get(`${base}/archives/${stream.epoch}-1-1`), 'temporarily-unavailable');
    api.catalog.state = 'up';
    await idle();
    assert.equal(await head(), 1);
    assert.equal((await api.get(file)).status, 200);
  });
});

it('two instances with the same notices give the same answers', async (t) => {
  const catalog = new FakeCatalog();
  const msf = new FakeMsf(catalog);
  const clock = new MovableClock();
  const first = await startApi({ catalog, msf, clock });
  const second = await startApi({ catalog, msf, clock, objects: first.objects });
  t.onTestFinished(async () => {
    await first.close();
    await second.close();
  });
  const published = first.stream(game, 'plays');
  for (let revision = 1; revision <= 5; revision += 1) {
    await published.publish([`r${revision}=1`]);
    const [one, two] = await Promise.all(
      [first, second].map((each) => each.get(`${base}/snapshot`, { key: first.key })),
    );
    assert.deepEqual([one?.status, one?.body], [200, two?.body]);
    assert.equal(((one as Reply).json() as SnapshotManifest).revision, revision);
  }
});

describe('where MSF serving is off', () => {
  const names = ['game-state', 'injuries', 'player-stats', 'plays', 'team-stats'];
  let off: TestApi;
  beforeEach(async () => {
    off = await startApi({ msfServing: false });
    stream = off.stream(game, 'plays');
    await stream.publish(['a=1']);
    stream.archive(1, 1);
    await off.stream('NBA', 'injuries').publish(['a=1']);
  });
  afterEach(() => off.close());

  it('every MSF route is 404, with any key, before any other check', async () => {
    const { epoch } = stream;
    for (const below of [`/v1/games/${game}/plays`, '/v1/leagues/NBA/injuries', '/v1/leagues/NBA/plays']) {
      for (const rest of [
        'snapshot',
        `changes?cursor=${cursorAt(1)}`,
        'archives',
        `archives/${epoch}-1-1`,
        `archives/${epoch}-1-1/changes/1/0`,
        `revisions/${epoch}/1/snapshot/0`,
      ]) {
        for (const request of [{}, { key: null }, { method: 'POST' }]) {
          const reply = await off.get(`${below}/${rest}`, request);
          assertProblem(reply, 'not-found', 404);
        }
      }
    }
    assert.deepEqual(
      Object.values(off.msf.calls).filter((calls) => calls > 0),
      [],
    );
  });

  it('no MSF name is listed, and none has a schema', async () => {
    const listed = (await off.get('/v1/datasets', { key: null })).json() as { data: { name: string }[] };
    assert.deepEqual(
      listed.data.filter(({ name }) => names.includes(name)),
      [],
    );
    assert.equal(listed.data.length, 4);
    for (const name of names) {
      const problem = assertProblem(await off.get(`/v1/datasets/${name}/schema`, { key: null }), 'not-found');
      assert.equal(problem.title, 'Unknown dataset');
      assert.doesNotMatch(problem.detail as string, /plays/);
    }
    const leagues = (await off.get('/v1/leagues')).json() as { data: { datasets: string[] }[] };
    for (const { datasets } of leagues.data) assert.equal(datasets.length, 4);
  });

  it('no document mentions an MSF route', async () => {
    for (const path of ['/docs', '/llms.txt', '/v1/openapi.json']) {
      const text = (await off.get(path, { key: null })).body.toString();
      assert.equal(/\/snapshot\b|archive_id|getSnapshot|id="msf"/.test(text), false, path);
    }
  });
});

it('where it is on, every name is listed as revisioned, with its schema', async (t) => {
  const on = await startApi();
  t.onTestFinished(() => on.close());
  const { data } = (await on.get('/v1/datasets', { key: null })).json() as {
    data: { name: string; kind: string; live: boolean; metered: boolean; schema_url: string; leagues: string[] }[];
  };
  const revisioned = data.filter(({ kind }) => kind === 'revisioned');
  assert.deepEqual(
    revisioned.map(({ name }) => name),
    ['game-state', 'injuries', 'player-stats', 'plays', 'team-stats'],
  );
  for (const { live, metered, schema_url, leagues } of revisioned) {
    assert.deepEqual([live, metered, leagues.length], [true, true, 5]);
    assert.equal((await on.get(schema_url, { key: null })).status, 200);
  }
  const leagues = (await on.get('/v1/leagues')).json() as { data: { datasets: string[] }[] };
  for (const { datasets } of leagues.data)
    assert.deepEqual(
      datasets,
      data.map(({ name }) => name),
    );
});
