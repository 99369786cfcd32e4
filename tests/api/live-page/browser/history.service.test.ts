// How the live page draws what was before it was opened: as the odds of each instant have it, and for no more rows than it said.
// docs/interface.md#moves-of-lines.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import type { OddsDocument } from '../../../../schemas/http/odds.ts';
import { inBrowsers } from '../../../support/browser/in-browsers.ts';
import { QuotedGame } from '../../../support/browser/quoted-game.ts';
import { pepper } from '../../../support/http/api-http.ts';
import { until } from '../../../support/services/until.ts';

const selections = ['moneyline/full/home', 'moneyline/full/away', 'total/full/over', 'total/full/under'];
const prices = [-120, -105, 100, 115, 130, null, -110];

inBrowsers('what lines did before the live page was opened', (openContext, it) => {
  let context: BrowserContext;
  let game: QuotedGame;
  let complaints: string[];

  beforeEach(async () => {
    game = await QuotedGame.start();
    context = await openContext();
    context.setDefaultTimeout(240_000);
    complaints = [];
  });
  afterEach(async () => {
    await context.close();
    await game.close();
  });

  async function moveAll(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, book] of QuotedGame.books.entries())
        game.push(book, (selection) => prices[(round * 5 + at * 3 + selection.length * 2) % prices.length] ?? null);
    }
    await game.publish();
  }

  async function open(key: string): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(game.api.url);
    await page.locator('#key').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('#odds td[data-operator]').first().waitFor({ state: 'visible' });
    return page;
  }

  const textOf = async (page: Page, id: string) => (await page.locator(id).textContent()) ?? '';

  async function isDrawn(page: Page): Promise<void> {
    await until('what was before is drawn', async () => (await textOf(page, '#moves')).includes('of the log'));
  }

  /** The heights in a selection's drawing, one for each value. */
  const heights = (page: Page, selection: string) =>
    page.evaluate<string[]>(`(() => {
      const row = document.querySelector('td[data-selection="${selection}"]').parentElement;
      const path = row.querySelector('.spark path').getAttribute('d');
      return [...path.matchAll(/(?:^M[\\d.]+,|V)([\\d.]+)/g)].map((step) => step[1]);
    })()`);

  /** The heights for all selections, computed from the odds at the times of these rows. */
  async function expected(rows: readonly { timestamp: number }[]): Promise<string[][]> {
    const key = game.api.catalog.mint(pepper, { accountId: 'other' });
    const values = selections.map((): number[] => []);
    for (const at of new Set(rows.map(({ timestamp }) => timestamp))) {
      const path = `/v1/games/${QuotedGame.id}/odds?at=${new Date(at / 1_000).toISOString()}`;
      const odds = (await game.api.get(path, { key })).json() as OddsDocument;
      for (const [index, selection] of selections.entries()) {
        const own = odds.selections.find(({ selection_id }) => selection_id === selection);
        const value = own?.line ?? own?.best?.price_decimal ?? null;
        if (value !== null && Number(value) !== values[index]?.at(-1)) values[index]?.push(Number(value));
      }
    }
    return values.map((own) => {
      const [low, high] = [Math.min(...own), Math.max(...own)];
      return own.map((value) => (18 - ((value - low) / (high - low)) * 16).toFixed(1));
    });
  }

  async function showsMoves(page: Page, rows: readonly { timestamp: number }[] = game.log.rows): Promise<void> {
    for (const [index, moves] of (await expected(rows)).entries()) {
      const selection = selections[index] as string;
      assert.ok(moves.length > 1, `${selection} moves`);
      assert.deepEqual(await heights(page, selection), moves, selection);
    }
  }

  const billed = async (account: string) => (await game.api.ledger.usage(account)).usedRows;

  it('draws what the odds of each instant show, and is charged once for the rows of the log', async () => {
    await moveAll(12);
    const page = await open(game.api.key);
    await isDrawn(page);
    await showsMoves(page);
    const rows = game.log.rows.length;
    assert.equal(await billed('account'), rows);
    assert.match(await textOf(page, '#spent'), new RegExp(`^${rows} rows`));
    assert.match(await textOf(page, '#moves'), /^Lines are drawn since 20:00:01 UTC/);
    await page.reload();
    await isDrawn(page);
    await showsMoves(page);
    assert.match(await textOf(page, '#spent'), /^0 rows/);
    assert.equal(await billed('account'), rows);
    assert.deepEqual(complaints, []);
  });

  it('continues with the live quotes', async () => {
    await moveAll(3);
    const page = await open(game.api.key);
    await isDrawn(page);
    const before = await heights(page, 'moneyline/full/home');
    const paid = await billed('account');
    for (const book of QuotedGame.books) game.push(book, () => 300);
    await game.publish();
    const isLonger = async () => (await heights(page, 'moneyline/full/home')).length === before.length + 1;
    await until('the drawing has one more step', isLonger);
    assert.equal((await heights(page, 'moneyline/full/home')).at(-1), '2.0');
    assert.equal(await billed('account'), paid, 'from the odds that are shown');
    assert.deepEqual(complaints, []);
  });

  it('asks before it spends rows of a quota, and spends what it announced', async () => {
    game.api.ledger.quotas.set('metered', 1_000_000);
    await moveAll(5);
    const page = await open(game.api.catalog.mint(pepper, { accountId: 'metered' }));
    const rows = game.log.rows.length;
    const button = page.locator('#moves button');
    await button.waitFor();
    assert.equal(await button.textContent(), `Draw them since 20:00:01 UTC: up to ${rows} rows`);
    // Later values are drawn from the odds.
    await moveAll(1);
    assert.equal(await billed('metered'), 0);
    await button.click();
    await isDrawn(page);
    assert.equal(await billed('metered'), rows);
    assert.deepEqual(complaints, []);
  });

  it('draws the newest segments of a long log, starting from the odds at their beginning', async () => {
    await moveAll(2);
    for (const book of ['B', 'C']) game.push(book, () => 120);
    // A's moves change no line and no best price, because those of B and C count.
    for (let round = 0; round < 2_600; round += 1) game.push('A', () => (round % 2 === 0 ? -400 : -390));
    const quiet = game.log.rows.length;
    await moveAll(6);
    const { rows, segments } = game.log;
    const own = segments.slice(-2).reduce((sum, count) => sum + count, 0);
    assert.ok(own <= 10_000 && own + (segments.at(-3) ?? 0) > 10_000, segments.join());
    const page = await open(game.api.key);
    await isDrawn(page);
    await showsMoves(page, [...rows.slice(-own).slice(0, 1), ...rows.slice(quiet)]);
    assert.equal(await billed('account'), own + selections.length * QuotedGame.books.length);
    assert.deepEqual(complaints, []);
  });
});
