// The pages in a real browser without a network beyond the service: nothing else is asked for, nothing fails, nothing is refused by the page's
// own policy, and it can be read on wide and narrow screens, in light and dark. SECURITY.md.
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { exampleLanguages, exampleTasks, readExample } from '../../../api/documents/examples.ts';
import { axeFindings } from '../../support/browser/axe-findings.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const chromium = await services.chromium();

type Seen = { page: Page; requests: string[]; complaints: string[] };

describe('the pages in a browser', skipFor(outOfTurn() || chromium.skip), () => {
  let api: TestApi;
  let browser: Browser;
  beforeAll(async () => {
    api = await startApi({ baseUrl: null });
    browser = await chromium.open();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  async function open(context: BrowserContext, path: string): Promise<Seen> {
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    });
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(api.url + path, { waitUntil: 'load' });
    return { page, requests, complaints };
  }

  for (const path of [
    '/docs',
    '/docs/datasets/market-results',
    '/docs/datasets/closing-lines',
    '/problems/live-cursor-reset',
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        it(`${path} is one request without a complaint, ${colorScheme}, ${width} wide, with nothing beyond its edge`, async () => {
          const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
          const { page, requests, complaints } = await open(context, path);
          const picture = await page.screenshot();
          assert.ok(picture.length > 5_000);
          assert.deepEqual(complaints, []);
          // A data URL is not a request: it is the icon, which is part of the page.
          assert.deepEqual(
            requests.filter((url) => !url.startsWith('data:')),
            [api.url + path],
          );
          const [beyond, background] = await page.evaluate<[number, string]>(
            '[document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]',
          );
          assert.ok(beyond <= 0, `${beyond} pixels wider than the screen`);
          assert.deepEqual(await axeFindings(page), []);
          const shade = Number(/\d+/.exec(background)?.[0]);
          assert.equal(shade > 127, colorScheme === 'light', background);
          await context.close();
        });
      }
    }
  }

  it('shows its style, for its policy allows it: the contents stay in sight, and one language of each example is shown', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page, complaints } = await open(context, '/docs#tiers');
    assert.ok(await page.locator('nav .brand').isVisible());
    const top = (await page.locator('#tiers').boundingBox())?.y ?? -1;
    assert.ok(top >= 0 && top < 900, `the anchor is at ${top}`);
    for (const { id, name } of exampleLanguages) {
      await page.locator('#follow ~ .tabs').first().getByText(name, { exact: true }).click();
      const shown = await page
        .locator('[data-example]:visible')
        .evaluateAll((codes) => codes.map((code) => code.getAttribute('data-example')));
      assert.deepEqual(
        shown,
        exampleTasks.map((task) => `${task.id} ${id}`),
      );
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('can be chosen by keyboard', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const { page } = await open(context, '/docs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    assert.ok(await page.locator('[data-example="follow python"]').isVisible());
    await context.close();
  });

  it('copies a program as it stands, and says so', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, complaints } = await open(context, '/docs');
    const button = page.locator('.code:has([data-example="follow curl"]) .copy');
    await button.click();
    await until('the button says so', async () => (await button.textContent()) === 'Copied');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied.replaceAll('\r\n', '\n'), readExample('follow', 'curl'));
    assert.equal(await page.locator('[role="status"].unseen').textContent(), 'Copied.');
    await page.mouse.move(0, 0);
    await until('it can be copied again', async () => (await button.textContent()) === 'Copy');
    const [programs, shown] = await page.evaluate<[number, number]>(
      '[document.querySelectorAll("pre").length, document.querySelectorAll("pre + .copy").length]',
    );
    assert.equal(shown, programs, 'each program has a button');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('selects a program where the browser lets no page copy', async () => {
    const context = await browser.newContext();
    await context.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })');
    const { page } = await open(context, '/problems/live-cursor-reset');
    await page.locator('.copy').click();
    const [selected, text] = await page.evaluate<[string, string]>(
      '[String(getSelection()), document.querySelector("pre code").textContent]',
    );
    assert.equal(selected.trim(), text.trim());
    await until('the button says so', async () => (await page.locator('.copy').textContent()) === 'Selected');
    await context.close();
  });

  const linksShown = (page: Page) =>
    page.locator('nav li > a:visible').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

  it('finds the parts of the page that have all words, and goes to the first', async () => {
    for (const width of [1280, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const { page, complaints } = await open(context, '/docs');
      const before = await linksShown(page);
      await page.keyboard.press('/');
      await page.keyboard.type('Hockey-like words that stand nowhere');
      assert.deepEqual(await linksShown(page), []);
      assert.equal(await page.locator('.found').textContent(), '0 parts have it');
      await page.keyboard.press('Escape');
      assert.deepEqual(await linksShown(page), before);
      await page.keyboard.type('live-segment-behind from_row');
      const found = await linksShown(page);
      assert.ok(found.includes('#getSegment') && found.length < 12, found.join(' '));
      assert.ok((await page.evaluate<number>('CSS.highlights.get("found").size')) > 1);
      await page.keyboard.press('Enter');
      await until('it is there', async () => (await page.evaluate('location.hash')) === found.at(0));
      if (width === 390) assert.deepEqual(await linksShown(page), before, 'the results no longer cover the page');
      assert.deepEqual(complaints, []);
      await context.close();
    }
  });

  it('marks in the contents where one is, and keeps the mark in sight', async () => {
    for (const width of [1280, 390]) {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const { page } = await open(context, '/docs');
      for (const id of ['getSegment', 'client-python', 'models', 'rules', 'columns-board-files', 'list-games']) {
        await page.evaluate(`document.getElementById('${id}').scrollIntoView()`);
        const marked = page.locator('nav [aria-current="location"]');
        await until(`${id} is marked`, async () => (await marked.getAttribute('href')) === `#${id}`);
        assert.equal(await marked.count(), 1);
        const shown = page.locator('nav .here > a');
        const box = await (width === 1280 ? marked : shown).boundingBox();
        assert.ok(
          box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y < 900,
          `${id} ${JSON.stringify(box)}`,
        );
      }
      await context.close();
    }
  });

  it('shows on a phone that its contents scroll, until there is no more', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const { page } = await open(context, '/docs');
    const list = page.locator('nav > ul');
    const state = () =>
      page.evaluate<[string, boolean]>(
        '[document.querySelector("nav > ul").className, getComputedStyle(document.querySelector("nav > ul")).maskImage.includes("gradient")]',
      );
    assert.deepEqual(await state(), ['', true]);
    await list.evaluate((row) => row.scrollTo(100, 0));
    await until('it is in the middle', async () => (await state())[0] === 'more-before');
    await list.evaluate((row) => row.scrollTo(100_000, 0));
    await until('it is at the end', async () => (await state())[0] === 'more-before no-more-after');
    await context.close();
  });

  it('is whole when the service is gone', async () => {
    const own = await startApi({ baseUrl: null });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${own.url}/docs`);
    const saved = await page.content();
    await own.close();
    const offline = await browser.newContext({ offline: true });
    const again = await offline.newPage();
    await again.setContent(saved);
    assert.ok(await again.locator('#problem-live-cursor-reset').isVisible());
    await offline.close();
    await context.close();
  });

  it('runs no script but its own, even one that stands in it', async () => {
    const context = await browser.newContext();
    const { page, complaints } = await open(context, '/docs');
    const insert = (content: string) => `{
      const script = document.createElement('script');
      ${content};
      document.body.append(script);
    }`;
    // Neither text nor a script from this or another origin may run.
    await assert.rejects(page.evaluate(insert(`script.textContent = 'window.ran = true'`)), /TrustedScript/);
    await assert.rejects(page.evaluate(insert(`script.src = '/page/main.mjs'`)), /TrustedScript/);
    await page.evaluate(`document.body.setAttribute('onclick', 'window.ran = true')`).catch(() => {});
    await page.locator('h1').click();
    assert.equal(await page.evaluate('window.ran === true'), false);
    assert.ok(complaints.length >= 2);
    for (const complaint of complaints) assert.match(complaint, /Content Security Policy|Trusted/i);
    await context.close();
  });
});
