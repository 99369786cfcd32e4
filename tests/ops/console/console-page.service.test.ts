// The console in a real browser: it asks for the secret, shows what its document says, keeps up without a reload, can be paused, says when it is
// out of date, and is for the keyboard, screen readers, phones and the dark too. docs/operations.md#console.
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { ConsoleFacts } from '../../../ops/console/console-facts.ts';
import { consoleRoutes } from '../../../ops/console/console-routes.ts';
import { openInternalListener } from '../../../ops/internal/internal-listener.ts';
import { ProcessState } from '../../../ops/internal/process-state.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { axeFindings } from '../../support/browser/axe-findings.ts';
import {
  consoleFacts,
  healthOf,
  hour,
  minute,
  now,
  openLog,
  partition,
  reason,
  second,
} from '../../support/builders/console-facts.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const chromium = await services.chromium();
const secret = 'an-example-of-24-letters';

/** An example of everything that the console shows. */
const troubled = consoleFacts({
  streams: {
    answer: [
      partition(),
      partition({ partition: 1 }),
      partition({ partition: 2, halted: 'segment 7 of MLB_BOS_NYY_20260805 is damaged: restore the object' }),
      partition({ projector: 'revisions', topic: 'sds.observations.v1' }),
    ],
  },
  health: healthOf([reason('stalled live/1', now - 40 * second)], { 'live/0': 3, 'live/1': 1_200, 'revisions/0': 0 }),
  outbox: { away: 'CatalogUnavailable: canceling statement due to statement timeout' },
  openLogs: {
    answer: [
      openLog('MLB_BOS_NYY_20260805', { DRAFTKINGS: 2 * second, BET365: 45 * second, CIRCA: 3 * second }),
      openLog('MLB_STL_TOR_20260805', { DRAFTKINGS: 3 * second, BET365: 50 * second }),
    ],
  },
  deadLetters: {
    answer: [
      { source: 'feed', code: 'bad-price', letters: 1_204, lately: 12, newest: now - minute },
      { source: null, code: 'bad-record', letters: 1, lately: 0, newest: now - 5 * hour },
    ],
  },
  epochs: { answer: [{ scope: 'MLB', dataset: 'injuries', replacedAt: now - minute, epoch: 'epoch-0000000002' }] },
  feedKeys: { answer: [{ id: 'feed_key_1', sources: ['feed'], quota: 'games', used: 4_900 }] },
  accounts: { answer: [{ id: 'acc', name: 'Model desk', used: 9_100_000, most: 10_000_000 }] },
});

describe('the console in a browser', skipFor(outOfTurn() || chromium.skip), () => {
  let browser: Browser;
  let context: BrowserContext | null = null;
  let close: () => Promise<void> = async () => {};
  let facts: ConsoleFacts;
  let asked: number;
  let complaints: string[];

  beforeAll(async () => {
    browser = await chromium.open();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await context?.close();
    await close();
  });

  async function open(shown: ConsoleFacts, options: BrowserContextOptions = {}, stopsTime = false): Promise<Page> {
    [facts, asked, complaints] = [shown, 0, []];
    let time = 0;
    const use = {
      secret,
      facts: async () => {
        asked += 1;
        return facts;
      },
    };
    // The console reads the facts anew for each request.
    const nextSecond = () => (time += 2 * second);
    const routes = consoleRoutes(use, { now: nextSecond }, silentLog);
    const listener = await openInternalListener(new ProcessState(['ticker'], 0), routes, cutSlowReaders, silentLog);
    close = () => listener.close();
    const { url } = await listener.listen('127.0.0.1', 0);
    context = await browser.newContext({ httpCredentials: { username: 'x', password: secret }, ...options });
    context.setDefaultTimeout(240_000);
    const page = await context.newPage();
    if (stopsTime) {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
    }
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/console`);
    return page;
  }

  const textOf = async (page: Page, selector: string) => (await page.textContent(selector)) ?? '';
  const cardOf = (name: string) => `.checks li:has(h3:has-text("${name}"))`;

  it('shows what warns first, then what is unknown, each with its command, and the hop that is late', async () => {
    const page = await open(troubled);
    assert.equal(await textOf(page, '.summary'), '6 warn, 1 unknown of 15 checks');
    assert.equal(await page.title(), '6 warn, 1 unknown of 15 checks · Console');
    const states = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.checks li')].map((li) => li.className)`,
    );
    assert.deepEqual(states, [...Array(6).fill('warn'), 'unknown', ...Array(8).fill('ok')]);
    assert.equal(await textOf(page, `${cardOf('dead letters')} code`), './sds dlq summary');
    assert.match(await textOf(page, `${cardOf('publications')} p`), /statement timeout/);
    const late = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[aria-label="The way of a quote"] tr:has(.late)')].map((row) => row.cells[1].textContent + ' ' + row.cells[3].textContent)`,
    );
    assert.deepEqual(late, ['sportsbooks → push gateway 45 s', 'log → live 40 s']);
    assert.match(
      await textOf(page, '[aria-label="Partitions"] tbody tr'),
      /halted.*live\/2.*is damaged.*\.\/sds verify/s,
    );
    assert.deepEqual(complaints, []);
  });

  it('keeps up by itself, and leaves the focus, a selection and what has not changed in place', async () => {
    const page = await open(consoleFacts());
    assert.equal(await textOf(page, '.summary'), 'All 15 checks are ok');
    await page.focus('[aria-label="Partitions"]');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('.checks li code')); window.first = document.querySelector('.summary')`,
    );
    facts = troubled;
    await page.locator('.summary.warn').waitFor();
    assert.equal(await page.title(), '6 warn, 1 unknown of 15 checks · Console');
    assert.equal(await page.locator('[aria-label="Open dead letters"] tbody tr').count(), 2);
    facts = consoleFacts();
    await page.locator('.summary.ok').waitFor();
    assert.equal(await page.locator('[aria-label="Open dead letters"]').count(), 0);
    assert.deepEqual(
      await page.evaluate(
        `[document.activeElement.getAttribute('aria-label'), String(getSelection()), window.first === document.querySelector('.summary')]`,
      ),
      ['Partitions', './sds status', true],
    );
    assert.deepEqual(complaints, []);
  });

  it('stops while it is paused, by the keyboard', async () => {
    const page = await open(consoleFacts(), {}, true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute('#pause', 'aria-pressed'), 'true');
    assert.equal(await textOf(page, '#link'), 'paused');
    facts = troubled;
    await page.clock.runFor(60_000);
    assert.deepEqual([asked, await textOf(page, '.summary')], [1, 'All 15 checks are ok']);
    await page.keyboard.press('Enter');
    await page.clock.runFor(2_000);
    await page.locator('.summary.warn').waitFor();
    assert.equal(await textOf(page, '#link'), 'live');
  });

  it('says since when it has no answer, and goes on once there is one', async () => {
    const page = await open(consoleFacts());
    const answered = facts;
    facts = null as unknown as ConsoleFacts;
    await page.locator('[data-link="away"]').waitFor();
    assert.match(await textOf(page, '#link'), /^no answer since \d/);
    assert.equal(await textOf(page, '.summary'), 'All 15 checks are ok', 'what was known stays');
    facts = answered;
    await page.locator('[data-link="open"]').waitFor();
    assert.equal(await textOf(page, '#link'), 'live');
    for (const line of complaints) assert.match(line, /500 \(Internal Server Error\)/);
  });

  it('says that it has ended once its secret is no longer right, and offers no pause', async () => {
    const page = await open(consoleFacts(), {}, true);
    await page.route('**/console', (route) => route.fulfill({ status: 401, body: '' }));
    await page.clock.runFor(2_000);
    await page.locator('[data-link="away"]').waitFor();
    assert.equal(await page.locator('#pause').isVisible(), false);
    await page.evaluate(`for (const _ of [1, 2]) document.getElementById('pause').click()`);
    assert.match(await textOf(page, '#link'), /^The secret is no longer right/);
  });

  it('gives nothing to a browser without the secret', async () => {
    const page = await open(consoleFacts(), { httpCredentials: { username: 'x', password: `${secret}x` } });
    assert.deepEqual([asked, await page.locator('#state').count()], [0, 0]);
    assert.match(await textOf(page, 'body'), /The console asks for the secret of SDS_CONSOLE_SECRET/);
  });

  const views: readonly (readonly [string, BrowserContextOptions])[] = [
    ['light', { viewport: { width: 1360, height: 900 }, colorScheme: 'light' }],
    ['dark', { viewport: { width: 1360, height: 900 }, colorScheme: 'dark' }],
    ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
    ['dark-phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ];
  for (const [name, options] of views) {
    it(`has nothing that axe finds, and nothing beside the screen: ${name}`, async () => {
      const page = await open(troubled, options);
      await until('it is live', async () => (await textOf(page, '#link')) === 'live');
      assert.deepEqual(await axeFindings(page), []);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(width <= (options.viewport?.width ?? 0), `${width} pixels wide`);
      facts = consoleFacts();
      await page.locator('.summary.ok').waitFor();
      assert.deepEqual(await axeFindings(page), []);
    });
  }
});
