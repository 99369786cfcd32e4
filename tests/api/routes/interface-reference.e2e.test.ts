// Discovery and reference over HTTP, sentence by sentence: docs/interface.md#player; docs/interface.md#team; docs/interface.md#page-envelope;
// docs/interface.md#list-games; docs/interface.md#limits; docs/interface.md#reference-lists. Games have a file of their own (api/routes/list-games.e2e); large pages too
// (api/pages/pages.contract).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { CatalogPlayer } from '../../../core/ports/catalog/reference.ts';
import { player, team } from '../../../schemas/http/reference.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';

type Page = { data: Record<string, unknown>[]; next_cursor: string | null };

let api: TestApi;
const leagues = ['MLB', 'NBA', 'NCAAM', 'NFL', 'NHL'];
const datasets = ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines'];
const someTeam = uuidOf('NFL/PHI');

const page = async (path: string): Promise<Page> => {
  const { status, body, json } = await api.get(path);
  assert.equal(status, 200, body.toString());
  const read = json() as Page;
  assert.deepEqual(Object.keys(read), ['data', 'next_cursor']);
  return read;
};
const refused = async (path: string) => assertProblem(await api.get(path), 'validation-error').detail as string;

beforeAll(async () => {
  api = await startApi();
  for (const [at, league] of leagues.entries()) {
    for (const abbreviation of ['AAA', 'BBB', 'CCC']) {
      api.catalog.teamsOfLeagues.push({
        id: uuidOf(`${league}/${abbreviation}`),
        league,
        name: `${league} ${abbreviation}`,
        abbreviation,
        city: at === 0 ? null : 'City',
        nickname: 'Nick',
        conference: at === 0 ? null : 'East',
        division: null,
        is_active: true,
      });
    }
  }
  api.catalog.playersOfLeagues.push(
    ...Array.from(
      { length: 25 },
      (_, at): CatalogPlayer => ({
        id: uuidOf(`player ${at}`),
        league: leagues[at % 5] ?? 'MLB',
        first_name: `First ${at}`,
        last_name: `Last ${at}`,
        position: at % 2 === 0 ? null : 'QB',
        jersey_number: at % 3 === 0 ? null : at,
        current_team_id: at % 4 === 0 ? null : someTeam,
        is_active: at % 5 !== 0,
      }),
    ),
  );
});
afterAll(() => api.close());

describe('/v1/players', () => {
  it('shows each player with every field, null where nothing is known', async () => {
    const { data, next_cursor } = await page('/v1/players');
    assert.equal(next_cursor, null);
    assert.equal(data.length, 25);
    const names = 'id,league,first_name,last_name,position,jersey_number,current_team_id,is_active'.split(',');
    for (const record of data) {
      assert.deepEqual(Object.keys(record), names);
      player.parse(record);
    }
    for (const name of ['position', 'jersey_number', 'current_team_id']) {
      assert.ok(data.some((record) => record[name] === null) && data.some((record) => record[name] !== null), name);
    }
    assert.ok(data.some(({ is_active }) => is_active === false));
  });

  it('is filtered by league and team_id, in any case', async () => {
    const all = (await page('/v1/players')).data;
    const nfl = all.filter(({ league }) => league === 'NFL');
    assert.deepEqual((await page('/v1/players?league=nfl')).data, nfl);
    const ofTeam = all.filter(({ current_team_id }) => current_team_id === someTeam);
    assert.deepEqual((await page(`/v1/players?team_id=${someTeam.toUpperCase()}`)).data, ofTeam);
    const both = ofTeam.filter(({ league }) => league === 'NFL');
    assert.deepEqual((await page(`/v1/players?team_id=${someTeam}&league=NFL`)).data, both);
    assert.deepEqual((await page(`/v1/players?team_id=${uuidOf('nobody')}`)).data, []);
  });

  it('refuses a league, team_id, limit or cursor that is none', async () => {
    for (const query of ['league=XFL', 'league=', 'team_id=7', 'team_id=', 'limit=0', 'limit=10001', 'limit=x']) {
      assert.match(await refused(`/v1/players?${query}`), new RegExp(query.split('=')[0] as string), query);
    }
    for (const cursor of ['x', '', 'a%20b', '%00']) await refused(`/v1/players?cursor=${cursor}`);
  });
});

describe('/v1/teams', () => {
  it('shows each team with every field', async () => {
    const { data } = await page('/v1/teams');
    assert.equal(data.length, 15);
    for (const record of data) {
      assert.deepEqual(Object.keys(record), Object.keys(team.shape));
      team.parse(record);
    }
    const keys = data.map(({ league, abbreviation }) => `${league} ${abbreviation}`);
    assert.deepEqual(keys, keys.toSorted());
  });

  it('is filtered by league, and refuses what it does not know', async () => {
    assert.deepEqual(
      (await page('/v1/teams?league=nhl')).data.map(({ league }) => league),
      ['NHL', 'NHL', 'NHL'],
    );
    for (const query of ['league=XFL', 'limit=0', 'limit=10001', 'team_id=x', 'cursor=x']) {
      await refused(`/v1/teams?${query}`);
    }
  });
});

describe('pages', () => {
  for (const [path, total] of [
    ['/v1/teams', 15],
    ['/v1/players', 25],
  ] as const) {
    it(`of ${path} are read by handing next_cursor back verbatim, without repeating or skipping anything`, async () => {
      const whole = (await page(path)).data;
      for (const limit of [1, 2, 7, total - 1, total, total + 1]) {
        const read: unknown[] = [];
        let cursor: string | null = '';
        for (let pages = 0; cursor !== null; pages += 1) {
          assert.ok(pages <= total);
          const next: Page = await page(`${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          assert.ok(next.data.length <= limit);
          read.push(...next.data);
          cursor = next.next_cursor;
        }
        assert.deepEqual(read, whole, `limit ${limit}`);
      }
    });

    it(`of ${path} have cursors that are meaningful for the same filters alone`, async () => {
      const { next_cursor: cursor } = await page(`${path}?limit=1&league=NFL`);
      assert.equal((await api.get(`${path}?league=nfl&limit=5&cursor=${cursor}`)).status, 200);
      await refused(`${path}?cursor=${cursor}`);
      await refused(`${path}?league=NBA&cursor=${cursor}`);
      for (const other of ['/v1/games', '/v1/teams', '/v1/players', '/v1/leagues'].filter((one) => one !== path)) {
        await refused(`${other}?${other === '/v1/leagues' ? '' : 'league=NFL&'}cursor=${cursor}`);
      }
      const text = cursor as string;
      for (const edited of [text.slice(1), `${text}A`, text.toLowerCase(), text.replace(/.$/, '_')]) {
        if (edited !== text) await refused(`${path}?league=NFL&cursor=${edited}`);
      }
    });
  }
});

describe('/v1/leagues', () => {
  it('is one page of all leagues, with every field', async () => {
    for (const query of ['', '?limit=1', '?limit=10000']) {
      const { data, next_cursor } = await page(`/v1/leagues${query}`);
      assert.equal(next_cursor, null);
      assert.deepEqual(
        data.map(({ id }) => id),
        leagues,
      );
      for (const record of data) {
        assert.deepEqual(Object.keys(record), ['id', 'name', 'sport', 'is_active', 'datasets']);
        for (const name of datasets) assert.ok((record.datasets as string[]).includes(name), name);
      }
    }
    for (const query of ['limit=0', 'limit=10001', 'cursor=x', 'league=NFL']) await refused(`/v1/leagues?${query}`);
  });
});

describe('/v1/datasets', () => {
  const asked = async (path: string) => {
    const reply = await api.get(path, { key: null });
    assert.equal(reply.status, 200, reply.body.toString());
    assert.equal(reply.headers['cache-control'], 'public, max-age=300');
    return reply.json();
  };

  it('lists what is served, without a key, each with the place of its schema', async () => {
    const { data, next_cursor } = (await asked('/v1/datasets')) as Page;
    assert.equal(next_cursor, null);
    const names = data.map(({ name }) => name);
    for (const name of datasets) assert.ok(names.includes(name), name);
    const members = 'name,kind,description,leagues,schema_version,schema_url,media_type,live,metered'.split(',');
    for (const record of data) {
      assert.deepEqual(Object.keys(record), members);
      assert.equal(record.media_type, 'application/vnd.apache.parquet');
      assert.equal(((await asked(record.schema_url as string)) as { dataset: string }).dataset, record.name);
    }
    const live = data.filter((record) => record.live === true && record.kind === 'per_game').map(({ name }) => name);
    assert.deepEqual(live, ['sportsbook-lines']);
  });

  it('serves the row schema of each dataset, without a key', async () => {
    for (const name of datasets) {
      const schema = (await asked(`/v1/datasets/${name}/schema`)) as {
        columns: Record<string, unknown>[];
        row: { properties: object; required: string[] };
        primary_key: string[];
        sort_order: string[];
      };
      const members = 'dataset,schema_version,columns,primary_key,sort_order,row'.split(',');
      assert.deepEqual(Object.keys(schema), members);
      const columns = schema.columns.map((column) => {
        assert.deepEqual(Object.keys(column), ['name', 'type', 'logical_type', 'nullable', 'description', 'unit']);
        return column.name;
      });
      assert.deepEqual(Object.keys(schema.row.properties), columns);
      assert.deepEqual(schema.row.required, columns);
      for (const key of [...schema.primary_key, ...schema.sort_order]) assert.ok(columns.includes(key), key);
    }
  });

  it('answers 404 `Unknown dataset` for the schema of any other name', async () => {
    for (const name of ['nonsense', 'Closing-Lines', 'boards', '%20']) {
      const problem = assertProblem(await api.get(`/v1/datasets/${name}/schema`, { key: null }), 'not-found');
      assert.equal(problem.title, 'Unknown dataset');
      for (const known of datasets) assert.ok((problem.detail as string).includes(known));
    }
  });
});
