// Claim: the gateway's manual in a real browser is one request without a complaint, fits its screen, and axe-core finds nothing in it.
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { gatewayExamples } from '../../../ingest/documents/examples.ts';
import { axeFindings } from '../../support/browser/axe-findings.ts';
import { startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const chromium = await services.chromium();

describe("the gateway's manual in a browser", skipFor(chromium.skip), () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startGateway();
    browser = await chromium.open();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`is one request without a complaint, ${colorScheme}, ${width} wide`, async () => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        const [requests, complaints]: [string[], string[]] = [[], []];
        page.on('request', (request) => requests.push(request.url()));
        page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.goto(`${gateway.url}/docs`, { waitUntil: 'load' });
        assert.deepEqual(
          requests.filter((url) => !url.startsWith('data:')),
          [`${gateway.url}/docs`],
        );
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(beyond <= 0, `${beyond} pixels wider than the screen`);
        assert.ok((await page.locator('.copy').count()) >= gatewayExamples.length);
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(complaints, []);
        await context.close();
      });
    }
  }
});
