// What the live page reads, when, and what it makes of answers, in real browsers: docs/interface.md#live-page.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { inBrowsers } from '../../support/browser/in-browsers.ts';
import { QuotedGame } from '../../support/browser/quoted-game.ts';
import { boardsOf, shownOn } from '../../support/browser/shown-odds.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { openParquetStream } from '../../support/builders/parquet-stream.ts';
import { openPlaysStream, playOf } from '../../support/builders/plays-stream.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { gameScope } from '../../support/fakes/fake-msf.ts';
import { pepper, type startApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

const gameId = QuotedGame.id;
const other = QuotedGame.idOf('MLB_BOS_TOR');

inBrowsers('what the live page reads', (openContext, it) => {
  let context: BrowserContext;
  let game: QuotedGame;
  let complaints: string[];
  let requests: string[];

  beforeEach(async () => {
    [complaints, requests] = [[], []];
    context = await openContext();
    context.setDefaultTimeout(240_000);
  });
  afterEach(async () => {
    await context.close();
    await game.close();
  });

  async function start(options: Parameters<typeof startApi>[0] = {}): Promise<void> {
    game = await QuotedGame.start(options);
  }

  async function open({ hash = '', hasKey = false, fakesTime = false, key = '' } = {}): Promise<Page> {
    const page = await context.newPage();
    if (fakesTime) await page.clock.install();
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${game.api.url}/${hash}`);
    if (!hasKey) {
      await page.locator('#key-form').waitFor({ state: 'visible' });
      if (key !== '') await page.locator('#key').fill(key);
      await page.keyboard.press('Enter');
    }
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
    return page;
  }

  const textOf = async (page: Page, id: string) => (await page.locator(id).textContent()) ?? '';

  async function shows(page: Page, id: string, text: RegExp): Promise<void> {
    await until(`${id} says ${text}`, async () => text.test(await textOf(page, id)));
  }

  async function showsBoards(page: Page): Promise<void> {
    const expected = JSON.stringify(await boardsOf(gameId, async (path) => (await game.api.get(path)).body));
    await until('the page shows the boards', async () => JSON.stringify(await shownOn(page)) === expected);
  }

  async function move(price: number): Promise<void> {
    game.push('A', () => price);
    await game.publish();
  }

  /** Score and plays of a game, of which one revision each is published. */
  async function publishBoth(of: string) {
    const scope = gameScope(of);
    const [state, plays] = [openParquetStream(game.api, scope, gameState), openPlaysStream(game.api, scope)];
    const scored = (points: number) => state.publish([stateOf(of, points)]);
    await scored(1);
    await plays.publish([1, 2, 3].map((number) => playOf(scope, number)));
    return { scored, played: (number: number) => plays.publish([playOf(scope, number)]) };
  }

  it('is what the book names, of the game that is looked at alone', async () => {
    await start();
    game.api.catalog.addGame({
      gameId: other,
      uuid: uuidOf(other),
      gameDate: QuotedGame.today,
      status: 'STARTED',
    });
    const own = await publishBoth(gameId);
    const away = await publishBoth(other);
    const page = await open({ hash: `#${gameId}` });
    await shows(page, '#moves', /of the log/);
    for (const id of ['#game-state-proof', '#plays-proof']) await shows(page, id, /revision 1, /);
    for (const { scored, played } of [away, own]) {
      await scored(2);
      await played(4);
    }
    for (const id of ['#game-state-proof', '#plays-proof']) await shows(page, id, /revision 2, /);
    const ofGame = `GET /v1/games/${gameId}`;
    const asked = new Set(requests.map((request) => request.replace(/revisions\/[^/]+\/\d+/, 'revisions')));
    assert.deepEqual(
      [...asked].filter((request) => !/^GET \/(?:page\/[a-z-]+\.mjs)?$/.test(request)).sort(),
      [
        ...['GET /v1/me', 'GET /v1/games', 'GET /v1/events'],
        ...['odds', 'sportsbook-lines/segments', 'sportsbook-lines/rows'].map((rest) => `${ofGame}/${rest}`),
        ...['game-state', 'plays'].flatMap((dataset) => [
          `GET /v1/datasets/${dataset}/schema`,
          ...['snapshot', 'changes', 'revisions/snapshot/rows', 'revisions/change/rows'].map(
            (rest) => `${ofGame}/${dataset}/${rest}`,
          ),
        ]),
      ].sort(),
    );
    assert.deepEqual(complaints, []);
  });

  it('is proven by the digest of its revision, of score and of plays; what is not is said', async () => {
    await start();
    const { scored, played } = await publishBoth(gameId);
    const page = await open();
    const says = async (dataset: string, revision: number, rows: string, proof: string) => {
      const manifest = (await game.api.get(`/v1/games/${gameId}/${dataset}/snapshot`)).json() as Manifest;
      const digest = manifest.snapshot_digest;
      const text = `${dataset}: revision ${revision}, ${rows}, digest ${digest.slice(0, 12)}… ${proof}`;
      const proven = page.locator(`#${dataset}-proof`);
      await until(text, async () => (await proven.textContent()) === text);
      assert.equal(await proven.getAttribute('title'), digest);
    };
    await says('game-state', 1, '1 row', 'proven here');
    await says('plays', 1, '3 rows', 'proven here');
    assert.match(await textOf(page, '#score'), /0\D+1$/);
    await page.route(/\/change\/rows$/, async (route) => {
      const body = await (await route.fetch()).text();
      await route.fulfill({ body: body.replace('"home_score":2', '"home_score":3').replace(' 4\\n', ' 5\\n') });
    });
    await scored(2);
    await played(4);
    await says('game-state', 2, '1 row', 'NOT the published rows');
    await says('plays', 2, '4 rows', 'NOT the published rows');
    assert.deepEqual(complaints, []);
  });

  /** How often odds were read. */
  const reads = () => requests.filter((request) => request === `GET /v1/games/${gameId}/odds`).length;

  /** A page whose time stands still, after all that it reads by itself. */
  async function openStill({ key = '' } = {}): Promise<Page> {
    const page = await open({ fakesTime: true, key });
    await shows(page, '#moves', key === '' ? /of the log/ : /Draw them/);
    await page.clock.pauseAt(Date.now() + 10_000);
    await showsBoards(page);
    return page;
  }

  /** Moves twice: the first move is read at once, the second after `paceMs` and not before. */
  async function movesAtPace(page: Page, paceMs: number): Promise<void> {
    const before = reads();
    await move(140);
    await showsBoards(page);
    assert.equal(reads(), before + 1);
    await move(155);
    await page.waitForTimeout(500);
    await page.clock.runFor(paceMs - 1);
    await page.waitForTimeout(100);
    assert.equal(reads(), before + 1, 'not before');
    await page.clock.runFor(1);
    await showsBoards(page);
    assert.equal(reads(), before + 2);
  }

  it('of odds is read when the head moves, and at most once a second', async () => {
    await start();
    const page = await openStill();
    const before = reads();
    await page.clock.runFor(20_000);
    assert.equal(reads(), before, 'nothing has moved');
    await movesAtPace(page, 1_000);
    assert.deepEqual(complaints, []);
  });

  /** The key of an account with a quota. */
  function mintMetered(): string {
    game.api.ledger.quotas.set('metered', 1_000_000);
    return game.api.catalog.mint(pepper, { accountId: 'metered' });
  }

  it('of odds is read at most every two seconds where each look asks for its price first', async () => {
    await start();
    await movesAtPace(await openStill({ key: mintMetered() }), 2_000);
    assert.deepEqual(complaints, []);
  });

  it('of odds that are refused waits as long as the refusal of a HEAD asks to', async () => {
    await start();
    const page = await openStill({ key: mintMetered() });
    await page.clock.runFor(2_000);
    let asked = 0;
    const isOdds = /\/odds\?/;
    await page.route(isOdds, (route) => {
      asked += 1;
      return route.fulfill({ status: 429, headers: { 'Retry-After': '30' } });
    });
    await move(140);
    await shows(page, '#notice', /Not up to date/);
    for (const price of [141, 142]) {
      await move(price);
      await page.waitForTimeout(300);
    }
    await page.clock.runFor(29_000);
    await page.waitForTimeout(100);
    assert.equal(asked, 1);
    await page.unroute(isOdds);
    await page.clock.runFor(1_000);
    await showsBoards(page);
    assert.equal(await textOf(page, '#notice'), '');
  });

  it('of odds that are refused says why, and not at each move again', async () => {
    await start();
    const page = await openStill({ key: mintMetered() });
    await page.clock.runFor(2_000);
    const asked: string[] = [];
    await page.route(/\/odds\?/, (route) => {
      asked.push(route.request().method());
      const body = JSON.stringify({ type: '/problems/throttled', title: 'Key throttled', status: 429 });
      return route.fulfill({ status: 429, ...(asked.at(-1) === 'HEAD' ? {} : { body }) });
    });
    await move(140);
    await shows(page, '#notice', /Not up to date: Key throttled/);
    for (const price of [141, 142]) {
      await move(price);
      await page.waitForTimeout(300);
    }
    assert.deepEqual(asked, ['HEAD', 'GET']);
  });

  it('of odds asks for another key when its own is revoked, and leaves what is typed', async () => {
    await start({ limits: { keyFresh: 1, keyStale: 1 } });
    const key = mintMetered();
    const page = await openStill({ key });
    await page.clock.runFor(2_000);
    const record = game.api.catalog.keys.at(-1);
    if (record !== undefined) record.key = { ...record.key, state: 'revoked' };
    await move(140);
    await shows(page, '#key-fault', /revoked/);
    await page.locator('#key').fill('svc_live_typed');
    const isList = (request: string) => request === 'GET /v1/games';
    const before = requests.filter(isList).length;
    await until('the list is read', async () => {
      await page.clock.runFor(30_000);
      return requests.filter(isList).length > before;
    });
    await page.waitForTimeout(500);
    assert.equal(await page.locator('#key').inputValue(), 'svc_live_typed');
  });

  it('of odds that are free has no limit, until they are those of the final file', async () => {
    await start();
    // Each list takes nearly all that the page may spend.
    await context.route(/\/v1\/games\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'X-Service-Debited': '4988' } });
    });
    const page = await openStill({ key: mintMetered() });
    await until('another list is read', async () => {
      await page.clock.runFor(10_000);
      return /^[89],... rows/.test(await textOf(page, '#spent'));
    });
    await move(140);
    await showsBoards(page);
    assert.equal(await textOf(page, '#notice'), '');
    await page.clock.runFor(2_000);
    const final = { uuid: uuidOf(gameId), gameId, league: 'MLB' };
    const lines = game.log.rows as readonly object[] as readonly ParquetRow[];
    await landFinals({ objects: game.api.objects, artifacts: game.api.catalog }, final, { lines });
    await shows(page, '#notice', /^Paused: the next look costs up to 12 rows/);
    assert.equal((await game.api.ledger.usage('metered')).usedRows, 0);
    await page.locator('#notice button').click();
    await until('the odds are those of the final file', async () => {
      await page.clock.runFor(2_000);
      return /from the final file/.test(await textOf(page, '#version'));
    });
    assert.equal((await game.api.ledger.usage('metered')).usedRows, 12);
    assert.deepEqual(complaints, []);
  });

  it('of odds is asked for again where no answer begins within 30 seconds', async () => {
    await start();
    const page = await openStill();
    let isLost = true;
    await page.route(/\/odds\?/, (route) => (isLost ? undefined : route.continue()));
    await move(140);
    await until('it is asked for', async () => {
      await page.clock.runFor(1_000);
      return requests.at(-1) === `GET /v1/games/${gameId}/odds`;
    });
    isLost = false;
    const before = reads();
    await page.clock.runFor(28_000);
    await page.waitForTimeout(100);
    assert.equal(reads(), before);
    await page.clock.runFor(2_000);
    await shows(page, '#notice', /Not up to date: The service does not answer/);
    await page.clock.runFor(1_000);
    await showsBoards(page);
    assert.equal(await textOf(page, '#notice'), '');
  });

  it('of odds that cost rows is read at most every ten seconds, and less of it for one market', async () => {
    await start({ boardWeightMillionths: 1_000_000 });
    const page = await openStill();
    assert.match(await textOf(page, '#price'), /^12 rows each time they are read, at most every 10 s$/);
    await movesAtPace(page, 10_000);
    const used = async () => (await game.api.ledger.usage('account')).usedRows;
    const before = await used();
    await page.clock.runFor(10_000);
    await page.locator('#market').selectOption('moneyline/full');
    await shows(page, '#price', /^6 rows each time/);
    assert.equal(await used(), before + 6);
    assert.deepEqual(complaints, []);
  });

  it('of odds ends at 5,000 rows of a quota, and at 5,000 more once its reader allows them', async () => {
    await start({ boardWeightMillionths: 200_000_000 });
    game.api.ledger.quotas.set('metered', 1_000_000);
    const page = await open({ fakesTime: true, key: game.api.catalog.mint(pepper, { accountId: 'metered' }) });
    await page.clock.pauseAt(Date.now() + 10_000);
    const button = page.locator('#notice button');
    /** Lets time pass: what is due is read, once. */
    const passUntil = (what: string, isSo: () => Promise<boolean>) =>
      until(what, async () => {
        await page.clock.runFor(10_000);
        return isSo();
      });
    const spends = (rows: string) => passUntil(rows, async () => (await textOf(page, '#spent')).startsWith(rows));
    const isHeldAt = async (rows: number) => {
      await passUntil('the page asks', () => button.isVisible());
      assert.equal(await button.textContent(), 'Spend up to 5,000 rows more');
      assert.equal((await game.api.ledger.usage('metered')).usedRows, rows);
    };
    await spends('2,400 rows');
    await move(131);
    await spends('4,800 rows');
    await move(132);
    await isHeldAt(4_800);
    await button.click();
    await spends('7,200 rows');
    await move(133);
    await spends('9,600 rows');
    await move(134);
    await isHeldAt(9_600);
    assert.deepEqual(complaints, []);
  });

  it('of odds is priced by the weight that the first look found', async () => {
    await start({ boardWeightMillionths: 300_000_000 });
    game.api.ledger.quotas.set('metered', 1_000_000);
    const page = await open({ fakesTime: true, key: game.api.catalog.mint(pepper, { accountId: 'metered' }) });
    const used = async () => (await game.api.ledger.usage('metered')).usedRows;
    await shows(page, '#spent', /^3,600 rows/);
    await page.clock.pauseAt(Date.now() + 10_000);
    // The page may begin to wait a little after it has shown what it waits for.
    const comes = (where: string, text: RegExp) =>
      until(String(text), async () => {
        await page.clock.runFor(10_000);
        return text.test(await textOf(page, where));
      });
    // Six rows of twelve would be too many.
    await page.locator('#market').selectOption('moneyline/full');
    await comes('#notice', /^Paused: the next look costs up to 1,800 rows/);
    assert.equal(await used(), 3_600);
    await page.locator('#notice button').click();
    await comes('#spent', /^5,400 rows/);
    // The last look was at six rows, the next one is at twelve: 9,000 rows, of 8,600.
    await page.locator('#market').selectOption('');
    await comes('#notice', /^Paused: the next look costs up to 3,600 rows/);
    assert.equal(await used(), 5_400);
    assert.deepEqual(complaints, []);
  });

  it('is asked for again where the service does not answer at the start', async () => {
    await start();
    let refusals = 0;
    await context.route(/\/v1\/me$/, (route) => {
      refusals += 1;
      if (refusals > 2) return route.continue();
      const body = JSON.stringify({ type: '/problems/temporarily-unavailable', detail: 'Not for the moment.' });
      return route.fulfill({ status: 503, body });
    });
    const page = await open();
    await showsBoards(page);
    await shows(page, '#spent', /rows spent in this tab/);
  });

  it('of the list is one answer at a time, however often the tab is looked at during an outage', async () => {
    await start();
    const page = await openStill();
    let lists = 0;
    const isList = /\/v1\/games\?/;
    await page.route(isList, (route) => {
      lists += 1;
      return route.abort();
    });
    const look = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    for (let looks = 0; looks < 10; looks += 1) {
      await look();
      await page.waitForTimeout(20);
    }
    await page.waitForTimeout(200);
    assert.equal(lists, 1);
    await page.unroute(isList);
    game.api.catalog.addGame({ gameId: other, uuid: uuidOf(other), gameDate: QuotedGame.today });
    await page.clock.runFor(1_000);
    await page.locator(`#games a[href="#${other}"]`).waitFor();
  });

  it('of events is a new stream where nothing has come for 45 seconds', async () => {
    await start();
    // Streams of events whose texts a test writes.
    await context.addInitScript(`{
      const ask = window.fetch;
      window.streams = [];
      window.fetch = (path, options) => {
        if (!path.startsWith('/v1/events')) return ask(path, options);
        const body = new ReadableStream({ start: (stream) => void window.streams.push(stream) });
        return Promise.resolve(new Response(body));
      };
    }`);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(game.api.url);
    await page.locator('#key-form').waitFor({ state: 'visible' });
    await page.keyboard.press('Enter');
    await shows(page, '#link', /^live$/);
    await page.clock.pauseAt(Date.now() + 10_000);
    const streams = () => page.evaluate<number>('window.streams.length');
    const write = (text: string) =>
      page.evaluate(`window.streams.at(-1).enqueue(new TextEncoder().encode(${JSON.stringify(text)}))`);
    await until('all wishes are in one stream', async () => {
      const before = await streams();
      await page.clock.runFor(2_000);
      await page.waitForTimeout(200);
      return before === (await streams()) && (await textOf(page, '#link')) === 'live';
    });
    const before = await streams();
    for (let comments = 0; comments < 3; comments += 1) {
      await write(':\n\n');
      await page.waitForTimeout(200);
      await page.clock.runFor(44_000);
      assert.equal(await textOf(page, '#link'), 'live');
    }
    assert.equal(await streams(), before);
    await page.clock.runFor(1_000);
    await shows(page, '#link', /^connecting/);
    await page.clock.runFor(1_000);
    await shows(page, '#link', /^live$/);
    assert.equal(await streams(), before + 1);
  });

  it('of events is one stream for each tab where the browser has no locks', async () => {
    await start();
    await context.addInitScript(`Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`);
    const tabs = [await open(), await open({ hash: `#${gameId}`, hasKey: true })];
    await until('each has a stream', () => game.api.api.held().streams === 2);
    await move(140);
    for (const tab of tabs) await showsBoards(tab);
    assert.equal(game.api.api.held().streams, 2);
    assert.deepEqual(complaints, []);
  });
});

type Manifest = { snapshot_digest: string };

function stateOf(game_id: string, home_score: number) {
  const { league } = gameScope(game_id);
  const none = Object.fromEntries(gameState.columns.map(({ name }) => [name, null]));
  const required = {
    msf_game_id: 7,
    start_time: 1_763_323_200_000_000,
    schedule_status: 'NORMAL',
    played_status: 'LIVE',
  };
  const sides = {
    home_team_id: 'home',
    away_team_id: 'away',
    home_period_scores: [home_score],
    away_period_scores: [0],
  };
  return { ...none, game_id, league, ...required, ...sides, home_score, away_score: 0 };
}
