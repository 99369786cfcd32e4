// The live page in real browsers: every price that it shows is that of the boards, whatever moves; one stream serves all tabs; what it costs
// is said and bounded. docs/interface.md#live-page.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { axeFindings } from '../../support/browser/axe-findings.ts';
import { inBrowsers } from '../../support/browser/in-browsers.ts';
import { QuotedGame } from '../../support/browser/quoted-game.ts';
import { boardsOf, shownOn } from '../../support/browser/shown-odds.ts';
import { image, quote, seconds } from '../../support/builders/live-records.ts';
import { openParquetStream } from '../../support/builders/parquet-stream.ts';
import { openPlaysStream, playOf } from '../../support/builders/plays-stream.ts';
import { stateRow } from '../../support/builders/staged-build.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { gameScope } from '../../support/fakes/fake-msf.ts';
import { pepper, type startApi, type TestApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

const gameId = QuotedGame.id;
const other = QuotedGame.idOf('MLB_BOS_TOR');

inBrowsers('the live page', (openContext, it) => {
  let context: BrowserContext;
  let game: QuotedGame;
  let api: TestApi;
  let complaints: string[];
  let requests: string[];

  beforeEach(async () => {
    await start({});
    context = await openContext();
    context.setDefaultTimeout(240_000);
  });
  afterEach(async () => {
    await context.close();
    await game.close();
  });

  /** A service with a live game and an upcoming one. */
  async function start(options: Parameters<typeof startApi>[0]): Promise<void> {
    game = await QuotedGame.start(options);
    api = game.api;
    api.catalog.addGame({ gameId: other, uuid: uuidOf(other), gameDate: QuotedGame.today });
    [complaints, requests] = [[], []];
  }

  async function open(path = '/', hasKey = false): Promise<Page> {
    const page = await context.newPage();
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(api.url + path);
    if (!hasKey) {
      await page.locator('#key-form').waitFor({ state: 'visible' });
      await page.keyboard.press('Enter');
    }
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
    return page;
  }

  const boards = () => boardsOf(gameId, async (path) => (await api.get(path)).body);

  async function showsBoards(page: Page): Promise<void> {
    const expected = await boards();
    await until(
      'the page shows the boards',
      async () => JSON.stringify(await shownOn(page)) === JSON.stringify(expected),
    ).catch(async (error: unknown) => {
      assert.deepEqual(await shownOn(page), expected);
      throw error;
    });
  }

  it('shows every price as the boards have it while they move, and never a mix of two versions', async () => {
    const page = await open();
    await showsBoards(page);
    const prices = [-120, -105, 100, 115, 130, null, -110];
    for (let round = 0; round < 10; round += 1) {
      const before = JSON.stringify(await boards());
      game.push(
        QuotedGame.books[round % 3] as string,
        (selection) => prices[(round * 5 + selection.length * 3) % prices.length] ?? null,
      );
      await game.publish();
      const after = JSON.stringify(await boards());
      for (let shown = ''; shown !== after; ) {
        shown = JSON.stringify(await shownOn(page));
        assert.ok(shown === before || shown === after, `round ${round}: ${shown}\nis neither ${before}\nnor ${after}`);
      }
    }
    assert.deepEqual(complaints, []);
  });

  it('marks the best price, what moved and which way, and what is suspended, in words too', async () => {
    const page = await open();
    const cell = (selection: string, book: string) =>
      page.locator(`td[data-selection="moneyline/full/${selection}"][data-operator=${book}]`);
    game.push('B', (selection) => (selection === 'home' ? 125 : -150));
    await game.publish();
    await showsBoards(page);
    assert.match((await cell('home', 'B').getAttribute('class')) ?? '', /best.*up/);
    assert.match((await cell('away', 'B').getAttribute('class')) ?? '', /down/);
    assert.match((await cell('home', 'B').textContent()) ?? '', /best/);
    game.push('B', () => null);
    await game.publish();
    await showsBoards(page);
    assert.match((await cell('home', 'B').textContent()) ?? '', /suspended/);
    assert.doesNotMatch((await cell('home', 'B').textContent()) ?? '', /best/);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('marks what is stale, in words too, and what is at another line', async () => {
    const page = await open();
    const sides = (line: string) => ['over', 'under'].map((side) => quote(side, -110, { market: 'total', line }));
    game.push('A', () => -110);
    game.log.apply(image('B', [quote('home', -110), quote('away', -110), ...sides('9.5')], { at: 100 }));
    // C's image leaves out a quote that it had.
    game.log.apply(image('C', [quote('home', -110), ...sides('8.5')], { at: 101 }));
    await game.publish();
    await showsBoards(page);
    const marked = (name: string) =>
      page.evaluate<string[]>(`[...document.querySelectorAll('#odds td.${name}')].map((cell) =>
        [cell.dataset.selection, cell.dataset.operator, cell.textContent].join(' '))`);
    assert.deepEqual(await marked('other-line'), ['total/full/over B 9.5−110', 'total/full/under B 9.5−110']);
    assert.deepEqual(await marked('stale'), ['moneyline/full/away C −110stale']);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('asks for the key once, and holds one stream of events for all tabs; the next tab takes over from one that is closed', async () => {
    const first = await open();
    const streams = () => requests.filter((request) => request === 'GET /v1/events').length;
    await until('the stream is open', () => streams() >= 1);
    const second = await open(`/#${gameId}`, true);
    await showsBoards(second);
    await first.waitForTimeout(1_500);
    const before = streams();
    game.push('A', () => 140);
    await game.publish();
    await showsBoards(first);
    await showsBoards(second);
    assert.equal(streams(), before, 'a move opens no stream');
    assert.equal(api.api.held().streams, 1);
    await first.close();
    await until('the other tab has the stream', () => streams() > before && api.api.held().streams === 1);
    game.push('A', () => 155);
    await game.publish();
    await showsBoards(second);
    assert.equal(api.api.held().streams, 1);
    assert.deepEqual(complaints, []);
    assert.ok(requests.every((request) => !request.includes('svc_live_')));
  });

  it('shows the newest plays, proves them by their digest, and pays for a change alone after the first look', async () => {
    const scope = gameScope(gameId);
    const plays = openPlaysStream(api, scope);
    await plays.publish([1, 2, 3].map((number) => playOf(scope, number)));
    const page = await open();
    const proof = page.locator('#plays-proof');
    await until('the plays are proven', async () =>
      /revision 1, 3 rows, .*proven here$/.test((await proof.textContent()) ?? ''),
    );
    assert.match((await page.locator('#plays li').first().textContent()) ?? '', /Müller.* scores\s.* 3/s);
    await plays.publish([playOf(scope, 4)]);
    await until('the next one is', async () =>
      /revision 2, 4 rows, .*proven here$/.test((await proof.textContent()) ?? ''),
    );
    assert.match((await page.locator('#plays li').first().textContent()) ?? '', / 4/);
    // And the rows of the log, from which lines are drawn.
    const rows = 4 + game.log.rows.length;
    await until('what was spent is shown', async () =>
      ((await page.locator('#spent').textContent()) ?? '').startsWith(`${rows} rows`),
    );
    assert.equal((await api.ledger.usage('account')).usedRows, rows);
    assert.deepEqual(complaints, []);
  });

  it('shows the score with period and clock, and follows it', async () => {
    const state = openParquetStream(api, gameScope(gameId), gameState);
    const row = { ...stateRow('LIVE', 3, 2), game_id: gameId, period: 7, period_type: 'inning' };
    await state.publish([{ ...row, clock_seconds_remaining: 125 }]);
    const page = await open();
    const shows = async (id: string, words: RegExp) => words.test((await page.locator(id).textContent()) ?? '');
    await until('the score is shown', () => shows('#score', /^\S.* 3 {2}· {2}\S.* 2$/));
    assert.equal(await page.locator('#clock').textContent(), 'inning 7, 2:05 left');
    await until('it is proven', () => shows('#game-state-proof', /revision 1, 1 row, .*proven here$/));
    await state.publish([{ ...row, away_score: 4, clock_seconds_remaining: null }]);
    await until('the next score is shown', () => shows('#score', / 4 {2}· {2}\S.* 2$/));
    assert.equal(await page.locator('#clock').textContent(), 'inning 7');
    assert.deepEqual(complaints, []);
  });

  it('greys what is stale, says so in words, and shows how old it is', async () => {
    const page = await open();
    await showsBoards(page);
    const classOf = async (book: string) =>
      (await page.locator(`td[data-selection="moneyline/full/home"][data-operator=${book}]`).getAttribute('class')) ??
      '';
    const wordsOf = (book: string) =>
      page.locator(`td[data-selection="moneyline/full/home"][data-operator=${book}]`).textContent();
    const ageOf = async (book: string) =>
      (await page.locator('th.book').allTextContents()).find((text) => text.startsWith(book))?.slice(book.length);
    for (const book of QuotedGame.books) assert.doesNotMatch(await classOf(book), /stale/);
    const hour = 3_600;
    game.passSilently(4 * hour);
    game.push('A', () => -110);
    api.clock.ahead = seconds(6 * hour) - api.clock.now();
    await game.publish();
    await until('the quote of B is stale', async () => /stale/.test(await classOf('B')));
    assert.match((await wordsOf('B')) ?? '', /stale/);
    assert.doesNotMatch(`${await classOf('A')} ${await wordsOf('A')}`, /stale/);
    assert.deepEqual([await ageOf('A'), await ageOf('B')], ['2 h', '6 h']);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(complaints, []);
  });

  it('of a game without quotes asks for no odds, so that no request fails', async () => {
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    await page.goto(`${api.url}/#${other}`);
    await page.locator('#key-form').waitFor({ state: 'visible' });
    await page.keyboard.press('Enter');
    await page.locator('#link.open').waitFor();
    assert.match((await page.locator('#none').textContent()) ?? '', /Waiting/);
    assert.deepEqual(complaints, []);
  });

  it('asks for nothing while the tab is hidden, and is up to date once it is seen again', async () => {
    const page = await open();
    await showsBoards(page);
    const look = (state: string) =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await look('hidden');
    await page.waitForTimeout(1_200);
    const asked = requests.length;
    game.push('C', () => 170);
    await game.publish();
    await page.waitForTimeout(2_000);
    assert.deepEqual(requests.slice(asked), []);
    await look('visible');
    await showsBoards(page);
    assert.deepEqual(complaints, []);
  });

  it('shows what it costs, and stops at its limit until the reader allows more', async () => {
    await game.close();
    // 12 quotes at 1,000 rows each: more than the page spends without asking.
    await start({ boardWeightMillionths: 1_000_000_000, fillsInKey: false });
    api.ledger.quotas.set('metered', 1_000_000);
    const key = api.catalog.mint(pepper, { accountId: 'metered' });
    const page = await context.newPage();
    await page.goto(api.url);
    await page.locator('#key').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
    assert.equal(
      await page.locator('#spent').textContent(),
      '12,000 rows spent in this tab · this month 12,000 of 1,000,000 rows',
    );
    assert.match((await page.locator('#price').textContent()) ?? '', /^12,000 rows each time/);
    game.push('A', () => 200);
    await game.publish();
    await page.locator('#notice button').waitFor();
    assert.equal((await api.ledger.usage('metered')).usedRows, 12_000);
    await page.locator('#notice button').click();
    await showsBoards(page);
    assert.equal((await api.ledger.usage('metered')).usedRows, 24_000);
  });

  it('asks for another key when one is refused, with the reason', async () => {
    const page = await context.newPage();
    await page.goto(api.url);
    await page.locator('#key').fill('svc_live_short');
    await page.keyboard.press('Enter');
    assert.match((await page.locator('#key-fault').textContent()) ?? '', /55 characters/);
    await page.locator('#key').fill(api.catalog.mint(pepper, { state: 'revoked' }));
    await page.keyboard.press('Enter');
    await until('the refusal is shown', async () =>
      /revoked/.test((await page.locator('#key-fault').textContent()) ?? ''),
    );
    await page.locator('#key').fill(api.key);
    await page.keyboard.press('Enter');
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
  });

  it('fills in the key of a new start where that of the start before is refused', async () => {
    const page = await context.newPage();
    const stale = api.catalog.mint(pepper, { state: 'revoked' });
    await page.addInitScript(`sessionStorage.getItem('sds-key') ?? sessionStorage.setItem('sds-key', '${stale}')`);
    // The first load still shows the earlier key; the page then fills in the current one.
    await page.goto(`${api.url}/#%E0%A4%A`);
    await until('the refusal is shown', async () =>
      /revoked/.test((await page.locator('#key-fault').textContent()) ?? ''),
    );
    assert.equal(await page.locator('#key').inputValue(), api.key);
    await page.keyboard.press('Enter');
    await page.locator('#games a').first().waitFor({ state: 'visible' });
    await page.locator('#games a').first().click();
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`fits its screen, ${colorScheme}, ${width} wide, and is used by keyboard`, async () => {
        await context.close();
        context = await openContext({ colorScheme, viewport: { width, height: 800 } });
        const page = await context.newPage();
        page.on('console', (message) => complaints.push(message.text()));
        await page.goto(api.url);
        await page.locator('#key-form').waitFor({ state: 'visible' });
        assert.deepEqual(await axeFindings(page), []);
        await page.keyboard.press('Enter');
        const link = page.locator(`#games a[href="#${gameId}"]`);
        await link.waitFor({ state: 'visible' });
        for (let at = 0; at < 10; at += 1) {
          if ((await page.evaluate('document.activeElement.hash')) === `#${gameId}`) break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
        await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
        const [beyond, background] = await page.evaluate<[number, string]>(
          '[document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]',
        );
        assert.ok(beyond <= 0, `${beyond} pixels wider than the screen`);
        assert.equal(Number(/\d+/.exec(background)?.[0]) > 127, colorScheme === 'light');
        assert.equal(await page.locator('#games').isVisible(), width > 900);
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(complaints, []);
      });
    }
  }
});
