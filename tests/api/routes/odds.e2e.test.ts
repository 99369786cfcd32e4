// The odds routes over real HTTP, sentence by sentence: docs/odds.md; docs/metering.md#odds.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { QuoteRow } from '../../../core/live/types.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { gameOdds, type OddsDocument, oddsPage } from '../../../schemas/http/odds.ts';
import { landFinals, landVersion } from '../../support/builders/final-files.ts';
import { image, quote, seconds, suspended } from '../../support/builders/live-records.ts';
import { publishLog } from '../../support/builders/published-log.ts';
import { LiveLog } from '../../support/folds/live-log.ts';
import { assertProblem, pepper, type Reply, startApi, type TestApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

let api: TestApi;
let folder: string;
let game = '';
let uuid = '';
let count = 0;
let version = 0;
let log: LiveLog;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sds-odds-'));
  api = await startApi({ boardWeightMillionths: 500_000, limits: { oddsPageRows: 8 } });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  count += 1;
  game = `MLB_STL_NYY_202608${String(count).padStart(2, '0')}`;
  log = new LiveLog();
  uuid = `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`;
  api.catalog.addGame({ gameId: game, uuid });
});

async function publish(): Promise<void> {
  version += 1;
  const { rows, segments, game: state } = log;
  // All logs of these tests are one game to the fold, and separate games to the catalog.
  const published = { rows, segments, state: { ...state, uuid } };
  await publishLog({ catalog: api.catalog, objects: api.objects, folder }, published, version);
}

/** Two sportsbooks at −110 on both sides, one of which moves at second 60. */
async function publishTwo(): Promise<void> {
  const sides = (home: number) => [quote('home', home), quote('away', -110)];
  log.apply(image('A', sides(-110), { at: 0 }));
  log.apply(image('B', sides(-110), { at: 10 }));
  log.apply(image('B', sides(120), { at: 60 }));
  await publish();
}

const ask = (query = '', options: Parameters<TestApi['get']>[1] = {}) =>
  api.get(`/v1/games/${game}/odds${query}`, options);

function read(reply: Reply): OddsDocument {
  assert.equal(reply.status, 200, reply.body.toString());
  return gameOdds.parse(reply.json());
}

const shortOf = ({ selections }: OddsDocument) =>
  selections.map(({ selection, best, operators }) => [
    selection,
    best?.operator,
    ...operators.map(({ operator, price_american }) => `${operator} ${price_american}`),
  ]);

describe('the odds of a live game', () => {
  it('are every price side by side, with the best one, holds, state and age', async () => {
    await publishTwo();
    const document = read(await ask());
    assert.deepEqual(shortOf(document), [
      ['away', 'A', 'A -110', 'B -110'],
      ['home', 'B', 'A -110', 'B 120'],
    ]);
    const [away, home] = document.selections;
    assert.deepEqual([away?.hold, home?.hold], ['-0.022126', '-0.022126']);
    assert.deepEqual(
      home?.operators.map(({ hold, is_open, quote_state, implied_probability, last_changed_at }) => [
        ...[hold, is_open, quote_state, implied_probability, last_changed_at],
      ]),
      [
        ['0.045450', true, 'live', '0.523807', formatMicros(seconds(0))],
        ['-0.022126', true, 'live', '0.454545', formatMicros(seconds(60))],
      ],
    );
    const age = Math.floor((api.clock.now() - seconds(60)) / 1_000_000);
    assert.ok(Math.abs((home?.operators[1]?.age_seconds ?? 0) - age) <= 2);
    assert.equal(document.provisional, true);
  });

  it('show what the newest image left out as suspect, and as old as that image; it is no offer', async () => {
    log.apply(image('A', [quote('home', 120), quote('away', -110)], { at: 0 }));
    log.apply(image('A', [quote('away', -110)], { at: 40 }));
    await publish();
    const document = read(await ask());
    const [away, home] = document.selections;
    assert.deepEqual(
      [home?.best, home?.operators[0]?.is_open, home?.operators[0]?.quote_state, home?.hold],
      [null, true, 'stale_suspect', null],
    );
    assert.deepEqual([away?.best?.operator, away?.operators[0]?.quote_state], ['A', 'live']);
    const age = Math.floor(Date.parse(document.as_of ?? '') / 1_000 - seconds(40) / 1_000_000);
    assert.ok(Math.abs((home?.operators[0]?.age_seconds ?? 0) - age) <= 1, `${home?.operators[0]?.age_seconds}`);
  });

  it('name the version of the boards that they are made of, as the head of a stream does', async () => {
    await publishTwo();
    const stream = await fetch(`${api.url}/v1/events?games=${game}`, {
      headers: { authorization: `Bearer ${api.key}` },
    });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const headOf = async (rows: number): Promise<string | undefined> => {
      while (!text.includes(`"rows":${rows},`)) text += (await reader.read()).value ?? '';
      return /"board_version":"([^"]+)"/.exec(text.slice(text.indexOf(`"rows":${rows},`)))?.[1];
    };
    const first = await headOf(log.rows.length);
    assert.equal(read(await ask()).board_version, first);
    log.apply(image('A', [quote('home', 150), quote('away', -110)], { at: 70 }));
    await publish();
    const second = await headOf(log.rows.length);
    await reader.cancel();
    assert.notEqual(second, first);
    assert.equal(read(await ask()).board_version, second);
  });

  it('follow each commit, and need no catalog and no object when they are hot', async () => {
    await publishTwo();
    await ask();
    const calls = () => Object.values(api.catalog.calls).reduce((sum, each) => sum + each, 0);
    await api.clock.still(async () => {
      await ask('?best=true');
      const before = calls();
      api.catalog.state = 'down';
      try {
        assert.equal(read(await ask('?best=true')).selections.length, 2);
        assert.equal(read(await ask('?market=moneyline')).selections.length, 2);
      } finally {
        api.catalog.state = 'up';
      }
      assert.equal(calls(), before);
    });
    log.apply(image('A', [quote('home', 150), quote('away', -110)], { at: 70 }));
    await publish();
    assert.equal(shortOf(read(await ask()))[1]?.[1], 'A');
  });

  it('can be filtered by market, period and sportsbooks, in any case, and to the best prices', async () => {
    await publishTwo();
    const short = async (query: string) => shortOf(read(await ask(query)));
    assert.deepEqual(await short('?operators=a,A'), [
      ['away', 'A', 'A -110'],
      ['home', 'A', 'A -110'],
    ]);
    assert.equal(read(await ask('?operators=A')).selections[1]?.hold, '0.045450', 'the hold is of these sportsbooks');
    assert.deepEqual(await short('?best=true'), [
      ['away', 'A', 'A -110'],
      ['home', 'B', 'B 120'],
    ]);
    for (const query of ['?market=spread', '?period=q1', '?operators=NOBODY']) assert.deepEqual(await short(query), []);
    assert.equal((await short('?market=moneyline&period=full&operators=A,B')).length, 2);
    assert.equal(read(await ask('?format=fractional')).selections[1]?.best?.price, '6/5');
    assert.equal(read(await ask()).selections[1]?.best?.price, undefined);
  });

  it('refuse unknown parameters and values, and list the valid ones', async () => {
    await publishTwo();
    const faults: [string, RegExp][] = [
      ['format=us', /^format must be one of american, decimal, fractional/],
      ['best=1', /^best must be true or false$/],
      ['market=', /^market must be one of the keys in a board file, such as moneyline$/],
      ['market=Money%20line', /^market must/],
      ['period=Q1!', /^period must/],
      ['operators=', /^operators must be 1 to 50 codes/],
      ['operators=A,,B', /^operators must/],
      [`operators=${Array.from({ length: 51 }, (_, at) => `B${at}`).join(',')}`, /^operators must/],
      ['at=yesterday', /^at must be an RFC 3339 time such as .* %2B$/],
      ['at=2026-08-05T20:00:00+02:00', /^at must/],
      ['at=2026-02-30T20:00:00Z', /^at is no time of the years 1684 to 2255/],
      ['at=2026-08-05', /^at must/],
      ['limit=1', /limit/],
    ];
    for (const [query, detail] of faults)
      assert.match(assertProblem(await ask(`?${query}`), 'validation-error').detail as string, detail, query);
  });

  it('are refused where they would be too many, before a file is read, with the filters that help', async () => {
    await publishTwo();
    const held = api.catalog.logs.get(uuid) ?? assert.fail('it was published');
    const boards = held.boards.map((board) => ({ ...board, rows: 50_001 }));
    api.catalog.commit({ ...held, version: held.version + 1, boards });
    const { detail } = assertProblem(await ask(), 'validation-error');
    assert.match(detail as string, /100002 rows, and at most 100000 .*: ask for fewer by operators$/);
    assert.equal((await ask('?operators=A')).status, 200);
    const restricted = api.catalog.mint(pepper, { tier: 'DEMO' });
    assertProblem(await ask('', { key: restricted }), 'history-restricted');
    const [row] = log.rows;
    const lines = Array.from({ length: 20_001 }, (_, nth) => ({
      ...(row as QuoteRow),
      ...{ row_number: nth + 1, market: nth === 0 ? 'moneyline' : 'x', selection_id: `x/full/${nth}` },
    }));
    await landFinals(
      { objects: api.objects, artifacts: api.catalog },
      { uuid, gameId: game, league: 'MLB' },
      { lines },
    );
    assert.match(assertProblem(await ask(), 'validation-error').detail as string, /20001 quotes, and at most 20000/);
    assert.equal(read(await ask('?market=x&best=true')).selections.length, 20_000);
  });

  it('have a weak tag of the version and the query: 304 while nothing moves, whatever the hour', async () => {
    await publishTwo();
    const { etag = '' } = (await ask()).headers;
    api.clock.ahead += 3_000_000;
    const again = await ask('', { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, again.headers['x-service-debited']], [304, '0']);
    assert.match(etag, /^W\/"/);
    assert.notEqual((await ask('?best=true')).headers.etag, etag);
    log.apply(image('A', [quote('home', -110), quote('away', -110)], { at: 70 }));
    await publish();
    assert.equal((await ask('', { headers: { 'if-none-match': etag } })).status, 200);
  });

  it('are 404 for a game that is not tracked or does not exist', async () => {
    assert.equal(assertProblem(await ask(), 'not-found').reason, 'no_live_artifact');
    assert.equal(assertProblem(await api.get('/v1/games/MLB_X_Y_20260101/odds'), 'not-found').title, 'Game not found');
  });

  it('are refused outside the window of the tier', async () => {
    await publishTwo();
    const key = api.catalog.mint(pepper, { tier: 'DEMO' });
    assertProblem(await ask('', { key }), 'history-restricted');
  });
});

describe('the odds as of an instant', () => {
  const at = (second: number) => ask(`?at=${formatMicros(seconds(second))}`);

  it('are the newest rows up to the instant; values in no file are null', async () => {
    await publishTwo();
    assert.deepEqual(shortOf(read(await at(-1))), []);
    assert.deepEqual(shortOf(read(await at(9))), [
      ['away', 'A', 'A -110'],
      ['home', 'A', 'A -110'],
    ]);
    assert.deepEqual(shortOf(read(await at(59)))[1], ['home', 'A', 'A -110', 'B -110']);
    const document = read(await at(60));
    assert.deepEqual(shortOf(document)[1], ['home', 'B', 'A -110', 'B 120']);
    assert.deepEqual([document.as_of, document.board_version], [formatMicros(seconds(60)), null]);
    for (const { quote_state, age_seconds } of document.selections.flatMap(({ operators }) => operators))
      assert.deepEqual([quote_state, age_seconds], [null, null]);
    assert.equal((await at(60)).headers.etag?.startsWith('"'), true);
  });

  it('omit withdrawn selections, and show suspended ones as closed', async () => {
    const both = [quote('home', -110), quote('away', -110)];
    log.apply(image('A', both, { at: 0 }));
    log.apply(image('A', [suspended('home')], { at: 10 }));
    log.apply(image('A', [suspended('home')], { at: 20 }));
    await publish();
    assert.equal(read(await at(5)).selections.length, 2);
    assert.equal(read(await at(15)).selections.length, 2);
    const { selections } = read(await at(25));
    assert.deepEqual(
      selections.map(({ selection, best, operators }) => [selection, best, operators[0]?.is_open]),
      [['home', null, false]],
    );
  });

  it('are served after settlement from the final file', async () => {
    await publishTwo();
    const live = read(await at(30));
    const facts = { uuid, gameId: game, league: 'MLB' };
    await landFinals({ objects: api.objects, artifacts: api.catalog }, facts, { lines: log.rows });
    assert.deepEqual(read(await at(30)), { ...live, provisional: false });
    const after = read(await ask());
    assert.deepEqual([after.as_of, after.provisional, after.board_version], [formatMicros(seconds(60)), false, null]);
    assert.deepEqual(shortOf(after)[1], ['home', 'B', 'A -110', 'B 120']);
  });

  it('are served after settlement from its newest version, also where that has no row', async () => {
    await publishTwo();
    const facts = { uuid, gameId: game, league: 'MLB' };
    const catalogs = { objects: api.objects, artifacts: api.catalog };
    await landFinals(catalogs, facts, { lines: log.rows });
    const land = (number: number, rows: readonly QuoteRow[]) =>
      landVersion(catalogs, facts, { dataset: 'sportsbook-lines', version: number, rows });
    await land(2, log.rows.slice(0, 2));
    await until('the second version is served', async () => read(await ask()).as_of === formatMicros(seconds(0)));
    assert.deepEqual(shortOf(read(await at(60)))[1], ['home', 'A', 'A -110']);
    await land(3, []);
    await until('the third version is served', async () => read(await ask()).as_of === null);
    assert.deepEqual(read(await ask()).selections, []);
  });
});

describe('what odds cost', () => {
  const costOf = (reply: Reply) => [reply.headers['x-service-rowcount'], reply.headers['x-service-debited']];

  it('for now: the rows of the boards they are made of, times the weight of boards', async () => {
    await publishTwo();
    assert.deepEqual(costOf(await ask()), ['4', '2']);
    assert.deepEqual(costOf(await ask('?best=true&format=decimal')), ['4', '2']);
    assert.deepEqual(costOf(await ask('?operators=A')), ['2', '1']);
    assert.deepEqual(costOf(await ask('?market=spread')), ['0', '0']);
  });

  it('for an instant, and for a settled game: one row for each quote, at each request', async () => {
    await publishTwo();
    const query = `?at=${formatMicros(seconds(9))}`;
    const before = (await api.ledger.usage('account')).usedRows;
    assert.deepEqual(costOf(await ask(query)), ['2', '2']);
    assert.deepEqual(costOf(await ask(query)), ['2', '2']);
    assert.equal((await api.ledger.usage('account')).usedRows, before + 4);
    const facts = { uuid, gameId: game, league: 'MLB' };
    await landFinals({ objects: api.objects, artifacts: api.catalog }, facts, { lines: log.rows });
    assert.deepEqual(costOf(await ask()), ['4', '4']);
  });

  it('a HEAD shows the price free of charge; an answer beyond the quota is refused', async () => {
    await publishTwo();
    const before = (await api.ledger.usage('account')).usedRows;
    assert.deepEqual(costOf(await ask('', { method: 'HEAD' })), ['4', '0']);
    assert.equal((await api.ledger.usage('account')).usedRows, before);
    api.ledger.quotas.set('poor', 1);
    const key = api.catalog.mint(pepper, { accountId: 'poor', monthlyRows: 1 });
    assertProblem(await ask('', { key }), 'quota-exhausted');
    assert.equal((await ask('?operators=A', { key })).status, 200);
  });
});

describe('the odds of all games', () => {
  const list = async (query: string, options: Parameters<TestApi['get']>[1] = {}) => {
    const reply = await api.get(`/v1/odds${query}`, options);
    assert.equal(reply.status, 200, reply.body.toString());
    return { reply, page: oddsPage.parse(reply.json()) };
  };

  it('are those of each game that is quoted, in pages, and cost their rows together', async () => {
    await publishTwo();
    const wanted = api.catalog.games.filter(
      ({ uuid }) => api.catalog.logs.has(uuid) && !api.catalog.artifacts.has(uuid),
    );
    const seen: ReturnType<typeof oddsPage.parse>['data'] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const { page, reply } = await list(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      assert.ok(page.data.length <= 3);
      sizes.push(page.data.length);
      const rows = page.data.flatMap((each) => ('selections' in each ? each.selections : []));
      const quotes = rows.reduce((sum, { operators }) => sum + operators.length, 0);
      assert.deepEqual(
        [reply.headers['x-service-rowcount'], reply.headers['x-service-debited']],
        [String(quotes), String(Math.floor(quotes / 2))],
      );
      seen.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(
      seen.map(({ game_id }) => game_id),
      wanted.map(({ gameId }) => gameId),
    );
    // A page has room for two games of four quotes, not three; a game with more quotes is listed all the same.
    assert.ok(sizes.includes(2) && !sizes.includes(3), sizes.join());
    const own = seen.find(({ game_id }) => game_id === game);
    const { selections } = read(await ask());
    assert.deepEqual(own !== undefined && 'selections' in own && own.selections.length, selections.length);
    assert.ok((await list('?league=mlb&limit=100')).page.data.length > 0);
    assert.deepEqual((await list('?league=NBA')).page, { data: [], next_cursor: null });
  });

  it('a cursor is valid only with the filters it was made with', async () => {
    await publishTwo();
    const { page } = await list('?limit=1&market=moneyline');
    assert.ok(page.next_cursor !== null);
    for (const query of [
      `cursor=${page.next_cursor}`,
      `market=moneyline&best=true&cursor=${page.next_cursor}`,
      'cursor=x',
    ])
      assert.match(assertProblem(await api.get(`/v1/odds?${query}`), 'validation-error').detail as string, /^cursor/);
    assert.equal((await list(`?limit=3&market=moneyline&cursor=${page.next_cursor}`)).reply.status, 200);
    assert.match(
      assertProblem(await api.get('/v1/odds?at=2026-08-05T20:00:00Z'), 'validation-error').detail as string,
      /\bat\b/,
    );
    for (const limit of ['0', '101', 'x'])
      assert.match(
        assertProblem(await api.get(`/v1/odds?limit=${limit}`), 'validation-error').detail as string,
        /1 to 100/,
      );
  });

  it('name a game outside the window of the tier, without its odds', async () => {
    await publishTwo();
    const { page, reply } = await list('?limit=100', { key: api.catalog.mint(pepper, { tier: 'DEMO' }) });
    assert.ok(page.data.length > 0);
    assert.equal(reply.headers['x-service-rowcount'], '0');
    for (const each of page.data) assert.deepEqual(each, { game_id: each.game_id, refused: 'history-restricted' });
  });

  it('name a game of too many, which costs nothing, and show the others', async () => {
    await publishTwo();
    const held = api.catalog.logs.get(uuid) ?? assert.fail('it was published');
    const boards = held.boards.map((board) => ({ ...board, rows: board.operator === 'A' ? board.rows : 100_001 }));
    api.catalog.commit({ ...held, version: held.version + 1, boards });
    assertProblem(await ask(), 'validation-error');
    const listed = async (query: string) => {
      const seen = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { page, reply } = await list(`?limit=100${query}${cursor && `&cursor=${cursor}`}`);
        const shown = page.data.flatMap((each) => ('selections' in each ? each.selections : []));
        const quotes = shown.reduce((sum, { operators }) => sum + operators.length, 0);
        assert.equal(reply.headers['x-service-rowcount'], String(quotes));
        seen.push(...page.data);
        cursor = page.next_cursor;
      }
      return { own: seen.find(({ game_id }) => game_id === game), games: seen.length };
    };
    const all = await listed('');
    assert.deepEqual(all.own, { game_id: game, refused: 'validation-error' });
    const narrow = await listed('&operators=A');
    assert.ok(narrow.own !== undefined && 'selections' in narrow.own);
    assert.ok(all.games > 1 && all.games === narrow.games);
  });
});
