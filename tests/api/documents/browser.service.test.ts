// The pages in a real browser without a network beyond the service: nothing else is asked for, nothing fails, nothing is refused by the page's
// own policy, and it can be read on wide and narrow screens, in light and dark. SECURITY.md.
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { exampleLanguages, exampleTasks } from '../../../api/documents/examples.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const chromium = await services.chromium();

type Seen = { page: Page; requests: string[]; complaints: string[] };

describe('the pages in a browser', skipFor(chromium.skip), () => {
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
          // A data URL is no request: it is the icon, which is within the page.
          assert.deepEqual(
            requests.filter((url) => !url.startsWith('data:')),
            [api.url + path],
          );
          const [beyond, background] = await page.evaluate<[number, string]>(
            '[document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]',
          );
          assert.ok(beyond <= 0, `${beyond} pixels wider than the screen`);
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

  it('runs no script, even one that stands in it', async () => {
    const context = await browser.newContext();
    const { page, complaints } = await open(context, '/docs');
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
    }`);
    assert.equal(await page.evaluate('window.ran === true'), false);
    assert.equal(complaints.length, 1);
    assert.match(complaints[0] as string, /Content Security Policy/);
    await context.close();
  });
});
