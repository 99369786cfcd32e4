// Discovery over real HTTP: docs/interface.md#list-games; docs/interface.md#game; docs/interface.md#page-envelope;
// docs/interface.md#final-files; docs/interface.md#list-games.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { pageCursors } from '../../../api/pages/page-cursor.ts';
import type { CatalogTeam } from '../../../core/ports/catalog/games.ts';
import type { GameDocument, GamesPage } from '../../../schemas/http/games.ts';
import { gamesPage } from '../../../schemas/http/games.ts';
import { FakeLog, someTime, uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, pepper, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.catalog.games.splice(0);
});

function add(gameId: string, facts: Parameters<TestApi['catalog']['addGame']>[0] | object = {}) {
  return api.catalog.addGame({ gameId, uuid: uuidOf(gameId), ...facts });
}

async function list(query = ''): Promise<GamesPage> {
  const reply = await api.get(`/v1/games${query === '' ? '' : `?${query}`}`);
  assert.equal(reply.status, 200, reply.body.toString());
  return gamesPage.parse(reply.json());
}

const idsOf = (page: GamesPage) => page.data.map(({ id }) => id);

async function refusal(query: string): Promise<string> {
  return assertProblem(await api.get(`/v1/games?${query}`), 'validation-error').detail as string;
}

describe('one game', () => {
  it('is shown with all its fields', async () => {
    add('MLB_STL_NYY_20260805');
    const reply = await api.get('/v1/games/mlb_stl_nyy_20260805');
    assert.equal(reply.headers['cache-control'], 'private, max-age=0');
    assert.match(reply.headers.etag ?? '', /^"[0-9a-f]{64}"$/);
    assert.deepEqual(reply.json(), {
      id: 'MLB_STL_NYY_20260805',
      league: 'MLB',
      game_date: '2026-08-05',
      scheduled_start: '2026-08-05T20:00:00.000000Z',
      status: 'SCHEDULED',
      in_progress: false,
      home_team: 'The NYY',
      home_team_abbreviation: 'NYY',
      home_team_id: uuidOf('MLB/NYY'),
      away_team: 'The STL',
      away_team_abbreviation: 'STL',
      away_team_id: uuidOf('MLB/STL'),
    });
  });

  it('with one known team shows the other by the name its source gave', async () => {
    const uuid = uuidOf('half known');
    const home = add('NFL_DET_PHI_20260806').home as CatalogTeam;
    api.catalog.addGame({
      gameId: uuid,
      uuid,
      league: 'NFL',
      gameDate: '2026-08-05',
      home,
      away: null,
      homeName: 'PHL Eagles',
      awayName: 'Bears',
    });
    const { data } = await list('league=nfl');
    const shown = data.find(({ id }) => id === uuid);
    assert.deepEqual(
      [shown?.home_team, shown?.home_team_abbreviation, shown?.home_team_id],
      ['The PHI', 'PHI', home.id],
    );
    assert.deepEqual([shown?.away_team, shown?.away_team_abbreviation, shown?.away_team_id], ['Bears', null, null]);
  });

  it('whose teams are not known is shown by its UUID and the names its source gave', async () => {
    const uuid = uuidOf('unminted');
    api.catalog.addGame({
      gameId: uuid,
      uuid,
      league: 'NFL',
      gameDate: '2026-08-05',
      home: null,
      away: null,
      homeName: 'Wolves',
      awayName: 'Bears',
    });
    const game = (await api.get(`/v1/games/${uuid}`)).json() as GameDocument;
    assert.deepEqual(
      [game.id, game.home_team, game.home_team_abbreviation, game.home_team_id],
      [uuid, 'Wolves', null, null],
    );
    assert.deepEqual([game.away_team, game.away_team_abbreviation, game.away_team_id], ['Bears', null, null]);
  });

  it('takes no query', async () => {
    add('MLB_STL_NYY_20260805');
    assertProblem(await api.get('/v1/games/MLB_STL_NYY_20260805?league=MLB'), 'validation-error');
  });

  it('can be compared for free', async () => {
    add('MLB_STL_NYY_20260805');
    const { etag } = (await api.get('/v1/games/MLB_STL_NYY_20260805')).headers;
    const reply = await api.get('/v1/games/MLB_STL_NYY_20260805', { headers: { 'if-none-match': etag as string } });
    assert.deepEqual([reply.status, reply.body.length], [304, 0]);
  });

  const table: [string, Partial<{ status: string; fromSchedule: boolean; logTime: number | null }>, string][] = [
    ['before its start', { logTime: someTime - 1 }, 'SCHEDULED'],
    ['at its start', { logTime: someTime }, 'STARTED'],
    ['without a log', { logTime: null }, 'SCHEDULED'],
    ['that a schedule tells of', { logTime: someTime, fromSchedule: true }, 'SCHEDULED'],
    ['that is postponed', { logTime: someTime, status: 'POSTPONED' }, 'POSTPONED'],
    ['that is over', { logTime: someTime, status: 'COMPLETED' }, 'COMPLETED'],
  ];
  for (const [name, facts, status] of table) {
    it(`a start inferred from odds is computed at each reading: ${name}`, async () => {
      add('MLB_STL_NYY_20260805', facts);
      const game = (await api.get('/v1/games/MLB_STL_NYY_20260805')).json() as GameDocument;
      assert.deepEqual([game.status, game.in_progress], [status, status === 'STARTED']);
      assert.deepEqual(idsOf(await list(`status=${status}`)), ['MLB_STL_NYY_20260805']);
    });
  }
});

describe('the list of games', () => {
  it('is an envelope, by date and then by id', async () => {
    for (const id of ['NBA_LAL_BOS_20260806', 'MLB_STL_NYY_20260806', 'NFL_DET_PHI_20260805']) add(id);
    const page = await list();
    assert.deepEqual(
      [idsOf(page), page.next_cursor],
      [['NFL_DET_PHI_20260805', 'MLB_STL_NYY_20260806', 'NBA_LAL_BOS_20260806'], null],
    );
    assert.deepEqual(await list('league=NHL'), { data: [], next_cursor: null });
  });

  it('is filtered by league, status, dates and team, in any case', async () => {
    add('NFL_DET_PHI_20260805');
    add('MLB_STL_NYY_20260806', { status: 'COMPLETED' });
    add('MLB_NYY_BOS_20260807');
    assert.deepEqual(idsOf(await list('league=mlb')), ['MLB_STL_NYY_20260806', 'MLB_NYY_BOS_20260807']);
    assert.deepEqual(idsOf(await list('status=completed')), ['MLB_STL_NYY_20260806']);
    assert.deepEqual(idsOf(await list('date_from=2026-08-05&date_to=2026-08-06')), [
      'NFL_DET_PHI_20260805',
      'MLB_STL_NYY_20260806',
    ]);
    assert.deepEqual(idsOf(await list('team=tHe+nyy')), ['MLB_STL_NYY_20260806', 'MLB_NYY_BOS_20260807']);
    assert.deepEqual(idsOf(await list('team=nobody')), []);
    assert.deepEqual(idsOf(await list(`team=${'nobody'.repeat(500)}`)), []);
    assert.deepEqual(
      idsOf(await list('league=MLB&status=SCHEDULED&team=The%20NYY&date_from=2026-08-07&date_to=2026-08-07')),
      ['MLB_NYY_BOS_20260807'],
    );
  });

  it('has pages of 1000, or of limit', async () => {
    for (let at = 0; at < 1_203; at += 1) add(`MLB_A${at}_B_20260805`);
    for (const [query, count] of [
      ['', 1_000],
      ['limit=1', 1],
      ['limit=500', 500],
      ['limit=1202', 1_202],
      ['limit=10000', 1_203],
    ] as const) {
      const page = await list(query);
      assert.deepEqual([page.data.length, page.next_cursor === null], [count, count === 1_203], query);
    }
  });

  it('is read in pages without repeating or skipping anything, whatever their size', async () => {
    const ids = Array.from({ length: 23 }, (_, at) => `MLB_A${at}_B_202608${String(1 + (at % 5)).padStart(2, '0')}`);
    for (const id of ids) add(id);
    for (const limit of [1, 2, 7, 22, 23, 24]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: GamesPage = await list(`league=MLB&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        seen.push(...idsOf(page));
        cursor = page.next_cursor;
        pages += 1;
      } while (cursor !== null);
      assert.deepEqual(seen, idsOf(await list()), `limit ${limit}`);
      assert.equal(pages, Math.ceil(23 / limit));
    }
  });

  it('skips and repeats no unchanged game while others come and go', async () => {
    for (const id of ['MLB_A_B_20260801', 'MLB_A_B_20260803', 'MLB_A_B_20260805']) add(id);
    const first = await list('limit=2');
    add('MLB_A_B_20260802');
    add('MLB_A_B_20260804');
    api.catalog.games.splice(1, 1);
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual(
      [idsOf(first), idsOf(second)],
      [
        ['MLB_A_B_20260801', 'MLB_A_B_20260803'],
        ['MLB_A_B_20260804', 'MLB_A_B_20260805'],
      ],
    );
  });
});

describe('the list of games refuses', () => {
  const table: [string, RegExp][] = [
    ['league=XFL', /^league/],
    ['league=MLB,NBA', /^league/],
    ['status=OVER', /^status/],
    ['limit=0', /^limit/],
    ['limit=10001', /^limit/],
    ['limit=ten', /^limit/],
    ['limit=-1', /^limit/],
    ['date_from=2026-08-05', /together/],
    ['date_to=2026-08-05', /together/],
    ['date_from=2026-08-05&date_to=2026-08-04', /after/],
    ['date_from=2026-02-30&date_to=2026-03-01', /^date_from/],
    ['date_from=0000-01-01&date_to=0000-01-02', /^date_from/],
    ['date_from=20260805&date_to=2026-08-06', /^date_from/],
    ['date_from=2026-01-01&date_to=2027-01-02', /367 days/],
    ['team=', /^team/],
    ['season=2026', /unknown parameter 'season'/],
    ['league=MLB&league=NBA', /more than once/],
    ['cursor=', /^cursor/],
    ['cursor=AAAA', /^cursor/],
    ['cursor=1:1', /^cursor/],
  ];
  for (const [query, detail] of table) it(query, async () => assert.match(await refusal(query), detail));

  it('but 366 days pass, also over a leap year', async () => {
    await list('date_from=2026-01-01&date_to=2027-01-01');
    await list('date_from=2028-01-01&date_to=2028-12-31');
    assert.match(await refusal('date_from=2028-01-01&date_to=2029-01-01'), /367 days/);
  });
});

describe('a page cursor', () => {
  it('is refused when it is edited, forged, or used with other filters', async () => {
    for (const id of ['MLB_A_B_20260801', 'MLB_A_B_20260803', 'MLB_A_B_20260805']) add(id);
    const cursor = (await list('league=MLB&limit=1')).next_cursor as string;
    await list(`limit=2&cursor=${cursor}&league=mlb`);
    for (const query of [
      `cursor=${cursor}`,
      `league=NBA&cursor=${cursor}`,
      `league=MLB&status=STARTED&cursor=${cursor}`,
    ]) {
      assert.match(await refusal(query), /^cursor is not one that this list returned/);
    }
    for (let at = 0; at < cursor.length; at += 1) {
      const edited = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      await refusal(`league=MLB&cursor=${edited}`);
    }
    await refusal(`league=MLB&cursor=${cursor.slice(0, -1)}`);
    await refusal(`league=MLB&cursor=${cursor}A`);
  });

  it('is bound to its list and stays valid under an older pepper', () => {
    const old = pageCursors([pepper]);
    const both = pageCursors([{ version: 2, secret: Buffer.alloc(32, 9) }, pepper]);
    const filters = { league: 'MLB', team: null };
    const token = old.issue('/v1/games', filters, ['2026-08-05', 'x']);
    assert.deepEqual(both.read('/v1/games', { team: null, league: 'MLB' }, token), ['2026-08-05', 'x']);
    assert.equal(both.read('/v1/teams', filters, token), null);
    assert.equal(old.read('/v1/games', filters, both.issue('/v1/games', filters, ['2026-08-05', 'x'])), null);
  });
});

describe('the file of a dataset', () => {
  const game = 'MLB_STL_NYY_20260805';
  it('of an unknown dataset is not found, and the known ones are named', async () => {
    add(game);
    for (const dataset of ['nonsense', 'game-state', 'plays', 'Closing-Lines', 'closing-lines%20', '__proto__']) {
      const problem = assertProblem(await api.get(`/v1/games/${game}/${dataset}`), 'not-found');
      assert.equal(problem.title, 'Unknown dataset');
      for (const known of ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines']) {
        assert.ok((problem.detail as string).includes(known));
      }
    }
  });

  it('that does not exist yet is not found under its description', async () => {
    add(game);
    for (const dataset of ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines']) {
      const problem = assertProblem(await api.get(`/v1/games/${game}/${dataset}`), 'not-found');
      assert.equal(problem.title, `No ${dataset.replaceAll('-', ' ')} for this game`);
    }
  });

  it('of a game still served live is answered not-final, with the addresses of its live data', async () => {
    await new FakeLog(api.catalog, api.objects, add(game).uuid).append(1);
    const problem = assertProblem(await api.get(`/v1/games/${game.toLowerCase()}/sportsbook-lines`), 'not-final');
    assert.equal(problem.game_id, game);
    const live = problem.live as { segments: string; board: string };
    assert.deepEqual(live, {
      segments: `/v1/games/${game}/sportsbook-lines/segments`,
      board: `/v1/games/${game}/sportsbook-lines/board`,
    });
    for (const address of Object.values(live)) assert.equal((await api.get(address)).status, 200);
    assertProblem(await api.get(`/v1/games/${game}/closing-lines`), 'not-found');
  });
});
