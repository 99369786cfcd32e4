// Which streams and revisions a key may read: docs/interface.md#history-windows, on every MSF route alike, below games and leagues;
// docs/interface.md#changes: where a window ends before the head. A violation would need one route to show what another refuses.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { Tier } from '../../../core/ports/catalog/keys.ts';
import type { Micros } from '../../../core/units.ts';
import { type ChangeListing, changeListing } from '../../../schemas/http/msf.ts';
import { epochNamed, type FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, pepper, startApi, type TestApi, type TestOptions } from '../../support/http/api-http.ts';

let api: TestApi;
afterEach(() => api.close());

/** 2026-08-30, three in the morning UTC: still the 29th in New York. */
const now = Date.UTC(2026, 7, 30, 3) * 1_000;
const evening = (date: string): Micros => Date.parse(`${date}T22:00:00Z`) * 1_000;

/** A stream with a revision on each date, and an archive of each revision. */
async function streamOf(of: string, dates: readonly string[]): Promise<FakeStream> {
  const stream = api.stream(of, 'injuries');
  stream.epoch = epochNamed(of.replaceAll(/[^A-Z0-9]/g, '').slice(-10));
  for (const [at, date] of dates.entries()) {
    const source_updated_at = evening(date);
    const next = stream.head + 1;
    await stream.publish([`r${at}=1`], { sourceObservation: { ...sourceOf(next), source_updated_at } });
    stream.archive(next, next);
  }
  return stream;
}

const sourceOf = (revision: number) => ({
  source_revision: `sha256:${revision}`,
  source_updated_at: 0,
  request_started_at: 0,
  timestamp_basis: 'source' as const,
  source_played_status: null,
  source_schedule_status: null,
});

async function start(options: TestOptions = {}): Promise<void> {
  api = await startApi({ demoMonth: '2026-07', ...options });
  api.catalog.now = now;
}

/** Every path to a revision, below each of these prefixes. */
function waysTo(stream: FakeStream, revision: number, prefixes: readonly string[]): string[] {
  const { epoch, scope } = stream;
  const cursor = formatCursor({ dataset: 'injuries', scopeUuid: scope.uuid, epoch, revision: revision - 1 });
  const archive = `archives/${epoch}-${revision}-${revision}`;
  const own = prefixes[0] as string;
  return [
    `${own}/injuries/snapshot?at_revision=${revision}&epoch=${epoch}`,
    ...(revision > 1 ? [`${own}/injuries/changes?cursor=${cursor}&limit=1`] : []),
    `${own}/injuries/revisions/${epoch}/${revision}/snapshot/0`,
    `${own}/injuries/revisions/${epoch}/${revision}/change/0`,
    ...prefixes.flatMap((prefix) => [
      `${prefix}/injuries/${archive}`,
      `${prefix}/injuries/${archive}/changes/${revision}/0`,
    ]),
  ];
}

const dates = ['2026-04-30', '2026-07-01', '2026-07-31', '2026-08-29'];
const readable: [Tier, string[]][] = [
  // 30 days before August 29 is July 30; 90 days before is May 31.
  ['DEMO', ['2026-07-01', '2026-07-31']],
  ['BETA', ['2026-07-31', '2026-08-29']],
  ['STARTER', ['2026-07-01', '2026-07-31', '2026-08-29']],
  ['PRO', dates],
];

for (const [tier, expected] of readable) {
  describe(`the history of ${tier}`, () => {
    it('is that of a revision by the Eastern date of its source, on every way to it, by GET and HEAD', async () => {
      await start();
      const key = api.catalog.mint(pepper, { tier });
      const stream = await streamOf('NBA', dates);
      for (const [at, date] of dates.entries()) {
        for (const path of waysTo(stream, at + 1, ['/v1/leagues/NBA'])) {
          for (const method of ['GET', 'HEAD']) {
            const reply = await api.get(path, { key, method });
            // A walk stops at the end of DEMO's window without a refusal; revisions before a window are refused.
            const isWalkBeyond = path.includes('/changes?') && tier === 'DEMO' && date > '2026-07-31';
            const refused = !expected.includes(date) && !isWalkBeyond;
            assert.equal(reply.status, refused ? 403 : 200, `${method} ${path} of ${date}`);
            if (refused && method === 'GET') assertProblem(reply, 'history-restricted');
            if (refused) assert.equal(reply.headers['x-service-debited'], undefined);
          }
        }
      }
    });

    it('is that of a game by its date, below the game and below its league, whatever the dates of its revisions', async () => {
      await start();
      const key = api.catalog.mint(pepper, { tier });
      const inside = expected[0] as string;
      for (const date of dates) {
        const game = `NBA_BOS_LAL_${date.replaceAll('-', '')}`;
        const stream = await streamOf(game, [inside, inside]);
        for (const path of waysTo(stream, 2, [`/v1/games/${game}`, '/v1/leagues/NBA'])) {
          const reply = await api.get(path, { key });
          assert.equal(reply.status, expected.includes(date) ? 200 : 403, `${path} of a game of ${date}`);
        }
      }
    });
  });
}

describe('a window that ends before the head', () => {
  const cursorAt = ({ scope, epoch }: FakeStream, revision: number) =>
    formatCursor({ dataset: 'injuries', scopeUuid: scope.uuid, epoch, revision });
  const walk = async (stream: FakeStream, query: string): Promise<ChangeListing> => {
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    const reply = await api.get(`/v1/leagues/NBA/injuries/changes?${query}`, { key });
    assert.equal(reply.status, 200, reply.body.toString());
    assert.equal(stream.scope.id, 'NBA');
    return changeListing.parse(reply.json());
  };
  const numbers = ({ revisions }: ChangeListing) => revisions.map(({ revision }) => revision);
  const july = ['2026-07-30', '2026-07-31', '2026-07-31', '2026-08-01', '2026-08-02'];

  it('ends the walk: high_water_revision is the last revision that the key may read', async () => {
    await start();
    const stream = await streamOf('NBA', july);
    const found = await walk(stream, `cursor=${cursorAt(stream, 1)}`);
    assert.deepEqual([numbers(found), found.high_water_revision, found.cursor], [[2, 3], 3, cursorAt(stream, 3)]);
    const beyond = await walk(stream, `cursor=${cursorAt(stream, 1)}&until_revision=5&limit=1`);
    assert.deepEqual([numbers(beyond), beyond.high_water_revision], [[2], 3]);
    const below = await walk(stream, `cursor=${cursorAt(stream, 1)}&until_revision=2`);
    assert.deepEqual([numbers(below), below.high_water_revision], [[2], 2]);
    assert.deepEqual(numbers(await walk(stream, `cursor=${cursorAt(stream, 3)}`)), []);
    const all = changeListing.parse(
      (await api.get(`/v1/leagues/NBA/injuries/changes?cursor=${cursorAt(stream, 1)}`)).json(),
    );
    assert.equal(all.high_water_revision, 5, 'other keys read on');
  });

  it('ends the walk before the first revision outside the window, even if a later one is inside', async () => {
    await start();
    const stream = await streamOf('NBA', ['2026-07-31', '2026-07-31', '2026-08-01', '2026-07-31']);
    const found = await walk(stream, `cursor=${cursorAt(stream, 1)}`);
    assert.deepEqual([numbers(found), found.high_water_revision], [[2], 2]);
  });

  it('moves with the stream while the window lasts, and checks each revision once', async () => {
    await start();
    const stream = await streamOf('NBA', july.slice(0, 2));
    assert.equal((await walk(stream, `cursor=${cursorAt(stream, 1)}`)).high_water_revision, 2);
    await streamOnly(stream, '2026-07-31');
    assert.equal((await walk(stream, `cursor=${cursorAt(stream, 1)}`)).high_water_revision, 3);
    await streamOnly(stream, '2026-08-01');
    assert.equal((await walk(stream, `cursor=${cursorAt(stream, 1)}`)).high_water_revision, 3);
    const { revisions } = api.msf.calls;
    for (let ask = 0; ask < 5; ask += 1) await walk(stream, `cursor=${cursorAt(stream, 3)}`);
    assert.equal(api.msf.calls.revisions, revisions);
  });

  it('refuses the head, and a stream without a revision inside the window', async () => {
    await start();
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    const stream = await streamOf('NBA', july);
    assertProblem(await api.get('/v1/leagues/NBA/injuries/snapshot', { key }), 'history-restricted');
    const late = await streamOf('NHL', ['2026-08-01', '2026-08-02']);
    const path = `/v1/leagues/NHL/injuries/changes?cursor=${cursorAt(late, 1)}`;
    const { detail } = assertProblem(await api.get(path, { key }), 'history-restricted');
    assert.match(detail as string, /DEMO.*2026-07/);
    assert.equal(stream.head, 5);
  });

  it('answers that a stream was replaced a moment ago, not that it is out of the window', async () => {
    await start();
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    const stream = await streamOf('NBA', july);
    const cursor = cursorAt(stream, 1);
    assert.equal((await api.get('/v1/leagues/NBA/injuries/snapshot')).status, 200, 'the instance knows the stream');
    api.catalog.announcing = false;
    stream.reset(epochNamed('B'));
    await streamOnly(stream, '2026-07-30');
    assertProblem(await api.get(`/v1/leagues/NBA/injuries/changes?cursor=${cursor}`, { key }), 'stream-reset');
  });

  it('shows no revision while no month is configured', async () => {
    await start({ demoMonth: undefined as never });
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    const stream = await streamOf('NBA', july);
    for (const path of waysTo(stream, 2, ['/v1/leagues/NBA'])) {
      assertProblem(await api.get(path, { key }), 'history-restricted');
    }
  });

  async function streamOnly(stream: FakeStream, date: string): Promise<void> {
    const source = { ...sourceOf(stream.head + 1), source_updated_at: evening(date) };
    await stream.publish([`r${stream.head}=1`], { sourceObservation: source });
  }
});

it('history windows do not limit lists of archives', async () => {
  await start();
  await streamOf('NBA', dates);
  for (const tier of ['DEMO', 'BETA', 'STARTER', 'PRO'] as const) {
    const key = api.catalog.mint(pepper, { tier });
    const { archives } = (await api.get('/v1/leagues/NBA/injuries/archives', { key })).json() as {
      archives: unknown[];
    };
    assert.equal(archives.length, dates.length);
  }
});

it('an archive is readable as a whole or not at all; its files by their own revisions', async () => {
  await start();
  const key = api.catalog.mint(pepper, { tier: 'DEMO' });
  const stream = await streamOf('NBA', ['2026-07-30', '2026-07-31', '2026-08-01']);
  const { id } = stream.archive(1, 3);
  const path = `/v1/leagues/NBA/injuries/archives/${id}`;
  assertProblem(await api.get(path, { key }), 'history-restricted');
  assert.equal((await api.get(`${path}/changes/2/0`, { key })).status, 200);
  assertProblem(await api.get(`${path}/changes/3/0`, { key }), 'history-restricted');
});
