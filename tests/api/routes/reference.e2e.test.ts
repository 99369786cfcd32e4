// The reference routes over HTTP: leagues, teams, players, datasets and their schemas. Each test names the sentence that it is for
// (docs/interface.md#list-games; docs/interface.md#player; docs/interface.md#page-envelope; docs/interface.md#limits;
// docs/interface.md#reference-lists).
import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { servedDatasets } from '../../../api/documents/served-datasets.ts';
import { referenceTeams } from '../../../core/games/teams.ts';
import type { CatalogPlayer } from '../../../core/ports/catalog/reference.ts';
import { board } from '../../../schemas/datasets/board.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import { rowSchema } from '../../../schemas/datasets/row-schema.ts';
import { datasetSchema, datasetsPage } from '../../../schemas/http/datasets.ts';
import { leaguesPage, playersPage, teamsPage } from '../../../schemas/http/reference.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (const { team } of referenceTeams()) api.catalog.teamsOfLeagues.push(team);
});
afterAll(() => api.close());
afterEach(() => {
  api.catalog.playersOfLeagues.length = 0;
});

function addPlayer(name: string, facts: Partial<CatalogPlayer> = {}): CatalogPlayer {
  const player = {
    id: uuidOf(name),
    league: 'NBA',
    first_name: 'First',
    last_name: name,
    position: null,
    jersey_number: null,
    current_team_id: null,
    is_active: true,
    ...facts,
  };
  api.catalog.playersOfLeagues.push(player);
  return player;
}

const players = async (query = '') => playersPage.parse((await api.get(`/v1/players?${query}`)).json());
const teams = async (query = '') => teamsPage.parse((await api.get(`/v1/teams?${query}`)).json());

describe('/v1/leagues', () => {
  it('always fits one page, so its next_cursor is always null', async () => {
    for (const query of ['', 'limit=1', 'limit=10000']) {
      const page = leaguesPage.parse((await api.get(`/v1/leagues?${query}`)).json());
      assert.deepEqual(
        [page.data.map(({ id }) => id), page.next_cursor],
        [['MLB', 'NBA', 'NCAAM', 'NFL', 'NHL'], null],
        query,
      );
    }
    const [mlb] = leaguesPage.parse((await api.get('/v1/leagues')).json()).data;
    assert.deepEqual([mlb?.name, mlb?.sport, mlb?.is_active], ['Major League Baseball', 'baseball', true]);
    assert.ok(mlb?.datasets.includes('sportsbook-lines'), 'datasets: names of what is served for it');
  });

  it('refuses any cursor, because it has returned none', async () => {
    const { next_cursor } = await teams('limit=1');
    for (const cursor of ['AAAA', next_cursor]) {
      assertProblem(await api.get(`/v1/leagues?cursor=${cursor}`), 'validation-error');
    }
  });
});

describe('/v1/teams', () => {
  it('is the reference table, by league and then by abbreviation', async () => {
    const all = await teams();
    assert.equal(all.next_cursor, null);
    const keys = all.data.map(({ league, abbreviation }) => `${league} ${abbreviation}`);
    assert.deepEqual(keys, [...keys].sort());
    assert.deepEqual(new Set(all.data), new Set(referenceTeams().map(({ team }) => team)));
  });

  it('takes league in any case, and pages of it', async () => {
    const all = (await teams('league=NHL')).data;
    assert.equal(all.length, 32);
    const first = await teams('league=nhl&limit=20');
    const second = await teams(`league=Nhl&limit=20&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.data, ...second.data], all);
    assert.equal(second.next_cursor, null);
  });
});

describe('/v1/players', () => {
  it('is an empty list until a source has reported a player', async () => {
    assert.deepEqual(await players(), { data: [], next_cursor: null });
  });

  it('shows every field: null when unknown, null for free agents, false once out of the league', async () => {
    const known = addPlayer('Known', { position: 'PG', jersey_number: 0, current_team_id: uuidOf('team') });
    const retired = addPlayer('Retired', { is_active: false });
    assert.deepEqual(new Set((await players()).data), new Set([known, retired]));
  });

  it('is filtered by league and by team_id, in any case', async () => {
    const bos = addPlayer('Celtic', { current_team_id: uuidOf('BOS') });
    addPlayer('Knick', { current_team_id: uuidOf('NYK') });
    const bruin = addPlayer('Bruin', { league: 'NHL', current_team_id: uuidOf('Bruins') });
    assert.deepEqual((await players('league=nhl')).data, [bruin]);
    assert.deepEqual((await players(`team_id=${uuidOf('BOS').toUpperCase()}`)).data, [bos]);
    assert.deepEqual((await players(`league=NHL&team_id=${uuidOf('BOS')}`)).data, []);
    assert.deepEqual((await players(`team_id=${uuidOf('nobody')}`)).data, []);
  });

  it('gives opaque keyset tokens, meaningful only for the same query with the same filters', async () => {
    const all = Array.from({ length: 25 }, (_, at) => addPlayer(`P${at}`)).sort((a, b) => (a.id > b.id ? 1 : -1));
    const first = await players('league=NBA&limit=10');
    assert.deepEqual(first.data, all.slice(0, 10));
    const cursor = first.next_cursor;
    // The page size is not a filter, and a filter in another case is the same filter.
    assert.deepEqual((await players(`league=nba&limit=15&cursor=${cursor}`)).data, all.slice(10));
    for (const foreign of [
      `/v1/players?cursor=${cursor}`,
      `/v1/players?league=NHL&cursor=${cursor}`,
      `/v1/players?league=NBA&team_id=${uuidOf('t')}&cursor=${cursor}`,
      `/v1/teams?league=NBA&cursor=${cursor}`,
      `/v1/games?league=NBA&cursor=${cursor}`,
    ]) {
      assertProblem(await api.get(foreign), 'validation-error');
    }
  });
});

describe('the lists of reference data', () => {
  for (const list of ['/v1/leagues', '/v1/teams', '/v1/players']) {
    it(`${list} requires a key`, async () => {
      assertProblem(await api.get(list, { key: null }), 'invalid-key');
    });

    for (const query of [
      'limit=0',
      'limit=10001',
      'limit=',
      'limit=1.5',
      'limit=1&limit=1',
      'season=2026',
      'cursor=%20',
    ]) {
      it(`${list} refuses ${query}`, async () => {
        assertProblem(await api.get(`${list}?${query}`), 'validation-error');
      });
    }

    it(`${list} has a strong ETag, is not kept by caches, and costs nothing unchanged`, async () => {
      const reply = await api.get(list);
      assert.equal(reply.headers['cache-control'], 'private, max-age=0');
      assert.match(reply.headers.etag as string, /^"[0-9a-f]{64}"$/);
      const again = await api.get(list, { headers: { 'if-none-match': reply.headers.etag as string } });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
      assertProblem(await api.get(list, { headers: { 'if-match': '"other"' } }), 'precondition-failed');
      const head = await api.get(list, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, reply.headers.etag, 0]);
    });
  }

  for (const query of ['league=XFL', 'league=', 'team_id=7', `team_id=${uuidOf('x')}x`]) {
    it(`/v1/players refuses ${query}`, async () => {
      assertProblem(await api.get(`/v1/players?${query}`), 'validation-error');
    });
  }
  it('/v1/teams knows no team_id', async () => {
    assertProblem(await api.get(`/v1/teams?team_id=${uuidOf('x')}`), 'validation-error');
  });
});

describe('/v1/datasets', () => {
  it('needs no key and lists what is served, in one page', async () => {
    const reply = await api.get('/v1/datasets', { key: null });
    assert.equal(reply.headers['cache-control'], 'public, max-age=300');
    assert.ok(reply.headers.etag);
    const page = datasetsPage.parse(reply.json());
    assert.equal(page.next_cursor, null);
    const lines = page.data.find(({ name }) => name === 'sportsbook-lines');
    assert.deepEqual(
      { ...lines, description: null },
      {
        name: 'sportsbook-lines',
        kind: 'per_game',
        description: null,
        leagues: ['MLB', 'NBA', 'NHL', 'NFL', 'NCAAM'],
        schema_version: 'v1',
        schema_url: '/v1/datasets/sportsbook-lines/schema',
        media_type: 'application/vnd.apache.parquet',
        live: true,
        metered: true,
      },
    );
    const perGame = page.data.filter(({ kind }) => kind === 'per_game').map(({ name }) => name);
    assert.deepEqual(perGame, ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines']);
  });

  it('refuses unknown query parameters too', async () => {
    assertProblem(await api.get('/v1/datasets?limit=1', { key: null }), 'validation-error');
    assertProblem(await api.get('/v1/datasets/plays/schema?x=1', { key: null }), 'validation-error');
  });

  it('lists no dataset that no route serves', () => {
    const names = (routes: readonly { datasets: readonly string[] | null }[]) =>
      servedDatasets(routes).map(({ name }) => name);
    const routes = [{ datasets: null }, { datasets: ['sportsbook-lines'] }, { datasets: ['plays', 'injuries'] }];
    assert.deepEqual(names(routes), ['injuries', 'plays', 'sportsbook-lines']);
    assert.deepEqual(names([]), []);
  });
});

describe('/v1/datasets/{name}/schema', () => {
  it('says the columns, the key, the order and the JSON Schema of a row of each dataset that is listed', async () => {
    const listed = datasetsPage.parse((await api.get('/v1/datasets', { key: null })).json()).data;
    for (const { name, schema_url } of listed) {
      const schema = datasetSchema.parse((await api.get(schema_url, { key: null })).json());
      const dataset = datasets.find((one) => one.name === name);
      assert.ok(dataset);
      assert.deepEqual(
        [schema.dataset, schema.schema_version, schema.primary_key, schema.sort_order],
        [name, 'v1', dataset.primaryKey, dataset.sortOrder],
      );
      assert.deepEqual(
        schema.columns.map((column) => [column.name, column.nullable]),
        dataset.columns.map((column) => [column.name, column.nullable]),
      );
      assert.deepEqual(schema.row, JSON.parse(JSON.stringify(rowSchema(dataset))));
    }
    const lines = datasetSchema.parse((await api.get('/v1/datasets/sportsbook-lines/schema', { key: null })).json());
    assert.deepEqual(
      lines.columns
        .filter(({ name }) => ['line', 'timestamp', 'is_open'].includes(name))
        .map(({ type, logical_type }) => [type, logical_type]),
      [
        ['int32', 'decimal(9,3)'],
        ['bool', null],
        ['int64', 'timestamp(micros,utc)'],
      ],
    );
  });

  it('has the board files too, which are not listed', async () => {
    const schema = datasetSchema.parse((await api.get('/v1/datasets/board/schema', { key: null })).json());
    assert.equal(schema.dataset, 'board');
    assert.deepEqual([schema.primary_key, schema.sort_order], [[...board.primaryKey], [...board.sortOrder]]);
    assert.deepEqual(
      schema.columns.map(({ name }) => name),
      board.columns.map(({ name }) => name),
    );
    assert.deepEqual(schema.row, JSON.parse(JSON.stringify(rowSchema(board))));
  });

  it('says what each value of change means', async () => {
    const { row } = datasetSchema.parse((await api.get('/v1/datasets/sportsbook-lines/schema', { key: null })).json());
    const { change } = row.properties as Record<string, { enum: readonly string[]; description: string }>;
    assert.equal(change?.enum.length, 7);
    for (const value of change?.enum ?? []) assert.ok(change?.description.includes(`\`${value}\``), value);
  });

  it('of an unknown name is 404 `Unknown dataset`', async () => {
    for (const name of ['nothing', 'Sportsbook-Lines', 'constructor']) {
      const problem = assertProblem(await api.get(`/v1/datasets/${name}/schema`, { key: null }), 'not-found');
      assert.equal(problem.title, 'Unknown dataset');
    }
  });
});

describe('pages of more than the usual size', () => {
  it('run a few at a time and queue; clients beyond the queue try again, and small pages are served', async () => {
    const small = await startApi({ limits: { largePagesAtOnce: 1, catalogDeadlineMs: 60_000 } });
    try {
      const player = { ...addPlayer('Only') };
      small.catalog.playersOfLeagues.push(player);
      await small.get('/v1/players');
      const gate = Promise.withResolvers<void>();
      small.catalog.state = gate.promise;
      const large = Array.from({ length: 6 }, () => small.get('/v1/players?limit=10000'));
      const first = await Promise.race(large);
      const problem = assertProblem(first, 'temporarily-unavailable');
      assert.equal(first.headers['retry-after'], '1');
      assert.match(problem.detail as string, /large pages/);
      gate.resolve();
      small.catalog.state = 'up';
      const statuses = (await Promise.all(large)).map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 503]);
      assert.equal((await small.get('/v1/players?limit=1000')).status, 200);
    } finally {
      await small.close();
    }
  });
});
