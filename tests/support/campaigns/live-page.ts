// The campaign of the live page: `npm start` with its demo, and a browser with the page open, which switches to another
// game now and then. The console must stay empty, memory must not grow, each shown price must be that of the boards of
// the same version, and axe-core must find nothing (docs/interface.md#live-page).
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { OddsDocument } from '../../../schemas/http/odds.ts';
import { startService } from '../../bench/started-service.ts';
import { axeFindings } from '../browser/axe-findings.ts';
import { boardsOf, shownVersionOn } from '../browser/shown-odds.ts';
import { services } from '../services/services.ts';
import { until } from '../services/until.ts';

export type LivePageOptions = { seed: number; forMs: number; say(line: string): void };

type Memory = { heapKb: number; nodes: number; listeners: number };

export type LivePageFigures = {
  seconds: number;
  /** How often the page's prices were compared with the boards, how many versions that covered, and how many cells. */
  compared: number;
  versions: number;
  cells: number;
  /** Comparisons skipped because the version was superseded before its boards could be read. */
  passed: number;
  games: number;
  first: Memory;
  last: Memory;
};

const lookEveryMs = 400;
/** The most memory that drawings, plays and ages may take. */
const growthKb = 2_048;
const growthNodes = 400;

/** Rejects with the first failed assertion. A string says which service is missing. */
export async function livePageCampaign({ seed, forMs, say }: LivePageOptions): Promise<LivePageFigures | string> {
  const chromium = await services.chromium();
  if (chromium.skip !== false) return chromium.skip;
  await using service = await startService({ SDS_DEMO: 'on', SDS_DEMO_SEED: String(seed) });
  const browser = await chromium.open();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(240_000);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(`${message.type()}: ${message.text()} ${message.location().url}`));
    page.on('pageerror', (error) => messages.push(error.message));
    const watched = new WatchedPage(page, await page.context().newCDPSession(page), service.ready.api_url);
    await watched.open();
    assert.deepEqual(await axeFindings(page), []);
    const warmMs = Math.min(60_000, forMs / 4);
    await watched.watch(warmMs);
    const first = await watched.memory();
    const rest = forMs - warmMs;
    const spells = Math.max(1, Math.round(rest / 60_000));
    for (let spell = 1; spell <= spells; spell += 1) {
      await watched.lookAside(Math.min(5_000, rest / spells / 3));
      await watched.watch(Math.max(rest / spells - 5_000, rest / spells / 2));
      say(
        `seed ${seed}: ${spell} of ${spells}; ${watched.said()}, ${JSON.stringify(await watched.memory())}, ${messages.length} messages`,
      );
    }
    const last = await watched.memory();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(messages, []);
    assert.ok(last.heapKb <= first.heapKb + growthKb, `heap: ${first.heapKb} KB, then ${last.heapKb} KB`);
    assert.ok(last.nodes <= first.nodes + growthNodes, `nodes: ${first.nodes}, then ${last.nodes}`);
    assert.ok(watched.compared > watched.passed, `${watched.compared} comparisons, and ${watched.passed} skipped ones`);
    const { compared, versions, cells, passed, games } = watched;
    const seconds = Math.round(forMs / 1_000);
    return { seconds, compared, versions: versions.size, cells, passed, games: games.size, first, last };
  } finally {
    await browser.close();
  }
}

class WatchedPage {
  compared = 0;
  passed = 0;
  cells = 0;
  readonly versions = new Set<string>();
  readonly games = new Set<string>();
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #url: string;
  #key = '';
  /** The boards of the newest versions, by game and version. */
  readonly #boards = new Map<string, string[]>();

  constructor(page: Page, devtools: CDPSession, url: string) {
    this.#page = page;
    this.#devtools = devtools;
    this.#url = url;
  }

  said(): string {
    return `${this.compared} looks compared, of ${this.versions.size} versions of boards`;
  }

  async open(): Promise<void> {
    await this.#page.goto(this.#url);
    await this.#page.locator('#key-form').waitFor({ state: 'visible' });
    this.#key = await this.#page.locator('#key').inputValue();
    const game = await this.#liveGame(0);
    await this.#page.keyboard.press('Enter');
    await this.#look(game);
  }

  /** Switches to another game and back. */
  async lookAside(forMs: number): Promise<void> {
    await this.#look(await this.#liveGame(1));
    await this.watch(forMs);
    await this.#look(await this.#liveGame(0));
  }

  /** A game in play that sportsbooks quote. */
  async #liveGame(index: number): Promise<string> {
    let found: string | undefined;
    await until('games are quoted', async () => {
      const { data } = (await this.#json('/v1/odds?league=MLB&limit=20')) as { data: OddsDocument[] };
      const quoted = data.filter(({ selections = [] }) => selections.length > 0);
      found = quoted[index]?.game_id ?? quoted[0]?.game_id;
      return found !== undefined;
    });
    return found as string;
  }

  async #look(game: string): Promise<void> {
    this.games.add(game);
    await this.#page.evaluate(`location.hash = '#${game}'`);
    const isShown = async () => {
      const { lines, game: shown } = await shownVersionOn(this.#page);
      return shown === game && lines.length > 0;
    };
    await until(`${game} is shown`, isShown, { everyMs: 100 });
  }

  /** Compares what the page shows with the boards, again and again. */
  async watch(forMs: number): Promise<void> {
    for (const endsAt = performance.now() + forMs; performance.now() < endsAt; ) {
      const startedAt = performance.now();
      const { game, version, lines } = await shownVersionOn(this.#page);
      const name = `${game} ${version}`;
      const expected = this.#boards.get(name);
      if (expected === undefined) this.passed += 1;
      else {
        assert.deepEqual(lines, expected, name);
        this.compared += 1;
        this.cells += lines.length;
        this.versions.add(name);
      }
      await this.#keepBoards(game);
      await delay(Math.max(0, lookEveryMs - (performance.now() - startedAt)));
    }
  }

  /** Keeps the current boards if all are of one version. */
  async #keepBoards(game: string): Promise<void> {
    const version = await this.#version(game);
    const name = `${game} ${version}`;
    if (this.#boards.has(name)) return;
    const lines = await boardsOf(game, (path) => this.#bytes(path));
    if ((await this.#version(game)) !== version) return;
    this.#boards.set(name, lines);
    const oldest = this.#boards.keys().next().value;
    if (this.#boards.size > 200 && oldest !== undefined) this.#boards.delete(oldest);
  }

  async #version(game: string): Promise<string> {
    return ((await this.#json(`/v1/games/${game}/odds?market=moneyline`)) as OddsDocument).board_version ?? '';
  }

  /** The memory of the page after garbage collection. */
  async memory(): Promise<Memory> {
    for (let round = 0; round < 3; round += 1) await this.#devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#devtools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners: listeners } = await this.#devtools.send('Memory.getDOMCounters');
    return { heapKb: Math.round(usedSize / 1_024), nodes, listeners };
  }

  async #bytes(path: string): Promise<Uint8Array> {
    const reply = await fetch(this.#url + path, { headers: { authorization: `Bearer ${this.#key}` } });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return new Uint8Array(await reply.arrayBuffer());
  }

  async #json(path: string): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.#bytes(path)).toString('utf8'));
  }
}

/** A campaign's figures in one line. */
export function describeLivePage({ first, last, ...figures }: LivePageFigures): string {
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  const memory = ({ heapKb, nodes, listeners }: Memory) => `${heapKb} KB, ${nodes} nodes, ${listeners} listeners`;
  return `${counts.join(', ')}; at first ${memory(first)}, at last ${memory(last)}; no message, no finding`;
}
