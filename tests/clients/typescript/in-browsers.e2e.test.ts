// The TypeScript client in real browsers: a page of another origin than the API's imports the packed client, as the README shows, and reads a
// started service with it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Reset, Client as SdsClient, SportsbookLinesRow } from '../../../clients/typescript/src/client.ts';
import { inBrowsers } from '../../support/browser/in-browsers.ts';
import { hasNoNpm, installTypescriptClient } from '../../support/clients/installed-client.ts';
import { SettledTool } from '../../support/editions/settled-tool.ts';
import { StagedGames } from '../../support/editions/staged-game.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** What the page's script leaves for `evaluate`. */
type OnPage = { Client: typeof SdsClient; taken: (SportsbookLinesRow | Reset)[]; ended: boolean };
declare const window: OnPage;

const readme = readFileSync(new URL('../../../clients/typescript/README.md', import.meta.url), 'utf8');
const [, importMap = ''] = /^```html\n(.*?)^```/ms.exec(readme) ?? [];
const html = `<!doctype html><title>page</title>${importMap}
<script type="module">import { Client } from 'sds-client'; window.Client = Client;</script>`;

/** Browsers take this machine's own addresses for secure, and no other one without TLS. */
const insecure = 'http://page.example.test';

/** The page, and what was installed for it below `app`; redirects what is elsewhere. */
function answerOf(app: string, path: string): { status: number; headers: Record<string, string>; body: string } {
  if (path.startsWith('/elsewhere/')) return { status: 307, headers: { location: '/' }, body: '' };
  if (path === '/') return { status: 200, headers: { 'content-type': 'text/html' }, body: html };
  const file = join(app, path);
  if (!existsSync(file)) return { status: 404, headers: {}, body: '' };
  return { status: 200, headers: { 'content-type': 'text/javascript' }, body: readFileSync(file, 'utf8') };
}

describe('the packed client', skipFor(hasNoNpm), () => {
  let folder: string;
  const tool = new SettledTool();
  const games = new StagedGames();
  let app: string;
  const server = createServer((request, response) => {
    const { status, headers, body } = answerOf(app, request.url ?? '');
    response.writeHead(status, headers).end(body);
  });
  let origin: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sds-client-'));
    app = await installTypescriptClient(folder);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await tool.start();
  });
  afterAll(async () => {
    await tool.stop();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  inBrowsers('a page with the client', (openContext, it) => {
    let context: BrowserContext;
    let complaints: string[];
    beforeEach(async () => {
      complaints = [];
      context = await openContext();
    });
    afterEach(() => context.close());

    async function open(at = origin): Promise<Page> {
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.route(`${insecure}/**`, (route) =>
        route.fulfill(answerOf(app, new URL(route.request().url()).pathname)),
      );
      await page.goto(at);
      await page.waitForFunction(() => window.Client !== undefined);
      return page;
    }

    it('follows a game to its end, reads its board and odds, and proves its revisions', async () => {
      const game = games.next('NBA', '2026-01-10T19:00:00.000000Z');
      const at = (minute: number) => `2026-01-10T18:0${minute}:00.000000Z`;
      const quote = async (minute: number, american: number) =>
        assert.deepEqual(
          await tool.quote(game, at(minute), [{ market: 'moneyline', selection: 'home', price: { american } }]),
          [],
        );
      await quote(1, 120);
      await quote(2, 130);
      await tool.pushBoxscore(game, at(3), { playedStatus: 'LIVE' }, { awayScoreTotal: 0, homeScoreTotal: 2 });
      await tool.pushBoxscore(game, at(4), { playedStatus: 'LIVE' }, { awayScoreTotal: 3, homeScoreTotal: 2 });

      const page = await open();
      const asked = { id: game.id, baseUrl: tool.api.apiUrl, apiKey: tool.api.apiKey };
      const read = await page.evaluate(async ({ id, baseUrl, apiKey }) => {
        const sds = new window.Client({ baseUrl, apiKey, poll: 0.1 });
        window.taken = [];
        window.ended = false;
        const follow = async () => {
          for await (const row of sds.follow(id)) window.taken.push(row);
          window.ended = true;
        };
        follow();
        const revisions = [];
        for await (const revision of sds.revisions(id, 'game-state', { at: 1 }))
          revisions.push('record' in revision ? [revision.record.revision, revision.proves] : 'a Reset');
        return { board: await sds.board(id), odds: await sds.odds(id, { best: true }), revisions };
      }, asked);
      assert.deepEqual(
        read.board.map(({ selection_id, price_american }) => [selection_id, price_american]),
        [['moneyline/full/home', 130]],
      );
      assert.deepEqual(
        read.odds.selections.map(({ selection_id, best }) => [selection_id, best?.price_american]),
        [['moneyline/full/home', 130]],
      );
      assert.deepEqual(read.revisions, [
        [1, 'snapshot'],
        [2, 'change'],
      ]);

      const taken = () => page.evaluate(() => window.taken.map((row) => 'row_number' in row && row.row_number));
      await until('the page has the live rows', async () => (await taken()).length === 2);
      await quote(5, 140);
      await tool.json('games', 'settle', game.id, '--yes');
      await until('the page has the end', () => page.evaluate(() => window.ended));
      assert.deepEqual(await taken(), [1, 2, 3]);
      assert.deepEqual(complaints, []);
    });

    it('does not follow a redirect, and says so at once', async () => {
      const page = await open();
      const said = await page.evaluate(async (baseUrl) => {
        const sds = new window.Client({ baseUrl, apiKey: 'svc_live_x', patience: 1 });
        return await sds.me().then(String, (error) => `${error.name} ${error.type} ${error.status}`);
      }, `${origin}/elsewhere`);
      assert.equal(said, 'Problem  0');
    });

    it('refuses a file on an insecure page, where no bytes can be proven', async () => {
      const page = await open(insecure);
      const asked: string[] = [];
      await page.route(`${insecure}/v1/**`, (route) => {
        asked.push(route.request().url());
        return route.fulfill({ headers: { etag: `"${'0'.repeat(64)}"` } });
      });
      const said = await page.evaluate(async (baseUrl) => {
        const sds = new window.Client({ baseUrl, apiKey: 'svc_live_x', patience: 1 });
        return await sds.final('NBA_BOS_CLE_20260109', 'closing-lines').then(String, String);
      }, insecure);
      assert.match(said, /^SdsError: .*secure page/);
      assert.deepEqual(asked, [], 'a file that is not taken is charged all the same');
    });
  });
});
